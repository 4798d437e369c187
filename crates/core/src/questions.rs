//! Questions that are answered together, and who asked each of them.
#![forbid(unsafe_code)]

use alloc::vec::Vec;

/// Questions of one kind, with an asker for each.
#[derive(Debug)]
pub(crate) struct Questions<Q, A> {
    pub(crate) questions: Vec<Q>,
    pub(crate) askers: Vec<A>,
}

impl<Q, A> Default for Questions<Q, A> {
    fn default() -> Self {
        Self { questions: Vec::new(), askers: Vec::new() }
    }
}

impl<Q, A> Questions<Q, A> {
    pub(crate) fn push(&mut self, question: Q, asker: A) {
        self.questions.push(question);
        self.askers.push(asker);
    }

    pub(crate) fn clear(&mut self) {
        self.questions.clear();
        self.askers.clear();
    }
}
