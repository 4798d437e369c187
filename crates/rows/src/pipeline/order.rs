//! Puts items that arrive in any order back into order. No threads in here.
//!
//! ```text
//! next = 4     ring: [ 4 ✓ | 5 … | 6 ✓ | 7 … ]      pop gives 4, then waits for 5
//! ```

use std::collections::VecDeque;

/// A window of items. The first one can be taken as soon as it has arrived.
pub(super) struct Reorder<T> {
    /// The index of the window's first place.
    next: u64,
    window: VecDeque<Option<T>>,
}

impl<T> Reorder<T> {
    /// A window of this width. Item 0 comes first.
    pub(super) fn new(width: usize) -> Self {
        let mut window = VecDeque::with_capacity(width);
        window.resize_with(width, || None);
        Self { next: 0, window }
    }

    /// Puts an item into its place.
    ///
    /// # Panics
    /// If its index is not in the window or its place is taken: then the items are numbered
    /// wrongly.
    pub(super) fn push(&mut self, index: u64, item: T) {
        let offset = index.checked_sub(self.next).and_then(|offset| usize::try_from(offset).ok());
        let place = offset.and_then(|offset| self.window.get_mut(offset));
        let place = place.expect("no more items are under way than the window is wide");
        assert!(place.replace(item).is_none(), "item {index} came twice");
    }

    /// The index of the item that is to leave next.
    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    /// The next item, if it has arrived.
    pub(super) fn pop(&mut self) -> Option<T> {
        let item = self.window.front_mut()?.take()?;
        self.window.rotate_left(1);
        self.next += 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_leave_in_order_however_they_come() {
        let mut reorder = Reorder::new(4);
        let mut left = Vec::new();
        for index in [2, 0, 3, 1, 4, 7, 6, 5, 8] {
            reorder.push(index, index);
            left.extend(std::iter::from_fn(|| reorder.pop()));
        }
        assert_eq!(left, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    #[should_panic = "no more items are under way than the window is wide"]
    fn an_item_outside_the_window_is_a_mistake() {
        Reorder::new(3).push(3, ());
    }

    #[test]
    #[should_panic = "item 1 came twice"]
    fn an_item_that_comes_twice_is_a_mistake() {
        let mut reorder = Reorder::new(3);
        reorder.push(1, ());
        reorder.push(1, ());
    }
}
