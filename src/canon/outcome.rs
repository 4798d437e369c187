//! The forms, and what became of a puzzle in one word.

ninefold_core::named_enum! {
    /// Which canonical form.
    ///
    /// ```
    /// use ninefold::canon::FormKind;
    ///
    /// assert_eq!("solution".parse(), Ok(FormKind::Solution));
    /// ```
    pub enum FormKind, "form" {
        @default Minlex = "minlex", "the least of all isomorphic puzzles, read as a number";
        Solution = "solution", "the clues under the map that takes the solution to its minlex form";
    }
}

ninefold_core::named_enum! {
    /// What became of a puzzle.
    ///
    /// ```
    /// use ninefold::canon::Outcome;
    ///
    /// assert_eq!(Outcome::Canonical.name(), "canonical");
    /// ```
    pub enum Outcome, "status" {
        Canonical = "canonical", "has a form";
        Multiple = "multiple", "has more than one solution (--form solution)";
        None = "none", "is legal and has no solution (--form solution)";
        Conflict = "conflict", "has a digit twice in a house (--form solution)";
        Sukaku = "sukaku", "is a sukaku, which has no minlex form (--form minlex)";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "takes more branches than --max-branches allows (--form solution)";
    }
}
