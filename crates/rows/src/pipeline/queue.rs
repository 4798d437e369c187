//! A queue between threads that can be closed from either side.
//!
//! The standard library's channels close when the last sender or the last receiver is dropped.
//! Here the calling thread must be able to stop workers that wait for a reader that itself waits
//! for a pipe. So closing is a call that any thread can make.
//!
//! It has no bound of its own: no queue can hold more slots than there are.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// First in, first out, for any number of threads on either side.
pub(super) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    items: VecDeque<T>,
    closed: bool,
}

impl<T> Queue<T> {
    /// A queue with memory for this many items.
    pub(super) fn new(capacity: usize) -> Self {
        let state = QueueState { items: VecDeque::with_capacity(capacity), closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds an item, or drops it if the queue is closed.
    pub(super) fn push(&self, item: T) {
        let mut state = self.lock();
        if !state.closed {
            state.items.push_back(item);
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Waits for an item; `None` if the queue is closed and empty.
    pub(super) fn pop(&self) -> Option<T> {
        self.pop_waiting(None, &mut || {})
    }

    /// As [`pop`](Self::pop), and calls `wait` again and again after this time without an item.
    pub(super) fn pop_waiting(
        &self,
        interval: Option<Duration>,
        wait: &mut dyn FnMut(),
    ) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(item) = state.items.pop_front() {
                return Some(item);
            }
            if state.closed {
                return None;
            }
            state = match interval {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(interval) => {
                    let waited = self.changed.wait_timeout(state, interval);
                    let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
                    drop(state);
                    if waited.timed_out() {
                        wait();
                    }
                    self.lock()
                }
            };
        }
    }

    /// No more items are added. Those in the queue can still be taken.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// No more items are added, and those in the queue are dropped.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.items.clear();
        drop(state);
        self.changed.notify_all();
    }

    /// Nothing in here panics while it holds the lock, so it cannot be left half done.
    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_queue_gives_what_it_holds_and_takes_no_more() {
        let queue = Queue::new(2);
        queue.push(1);
        queue.push(2);
        queue.close();
        queue.push(3);
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some(1), Some(2), None]);
    }

    #[test]
    fn an_abandoned_queue_wakes_waiting_threads() {
        let queue = Queue::<u8>::new(1);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| queue.pop());
            queue.abandon();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
