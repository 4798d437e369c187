//! The outcome of a puzzle in one word.
#![forbid(unsafe_code)]

crate::named_enum! {
    /// The outcome of a puzzle: the one vocabulary of records, counts, summaries and help.
    ///
    /// ```
    /// use ninefold_core::Status;
    ///
    /// assert_eq!("unique".parse(), Ok(Status::Unique));
    /// ```
    pub enum Status, "status" {
        Unique = "unique", "has one solution, and it is proven that there is no other";
        Solved = "solved", "has a solution; uniqueness was not checked";
        Multiple = "multiple", "has more than one solution";
        None = "none", "is legal and has no solution";
        Conflict = "conflict", "has a digit twice in a house";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "takes more branches than --max-branches allows";
    }
}
