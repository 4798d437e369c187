//! A list of at most `N` items, in an array.

/// The first `count` of the items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few<T, const N: usize> {
    items: [T; N],
    count: usize,
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// An empty list. `filler` is never seen.
    #[inline]
    pub(super) const fn new(filler: T) -> Self {
        Self { items: [filler; N], count: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        self.items[self.count] = item;
        self.count += 1;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        &self.items[..self.count]
    }
}
