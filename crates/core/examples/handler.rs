//! A handler of a web service: the puzzle of a JSON body is solved, and errors become a status.
//!
//! ```text
//! echo '{"puzzle": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"}' |
//!     cargo run -p ninefold-core --example handler
//! ```

use ninefold_core::{Verdict, verdict};
use serde_json::{Value, json};
use std::io::Read;

/// The status and the body of a response.
fn handle(body: &str) -> (u16, Value) {
    let Ok(request) = serde_json::from_str::<Value>(body) else {
        return (400, json!({ "error": "not JSON" }));
    };
    let Some(puzzle) = request["puzzle"].as_str() else {
        return (400, json!({ "error": "`puzzle` is not a text" }));
    };
    let verdict = verdict(puzzle);
    let code = match verdict {
        Verdict::Unique(solution) => return (200, json!({ "solution": solution.to_string() })),
        Verdict::Malformed(_) => 400,
        _ => 422,
    };
    (code, json!({ "status": verdict.status().name(), "error": verdict.to_string() }))
}

fn main() -> std::io::Result<()> {
    let mut body = String::new();
    std::io::stdin().read_to_string(&mut body)?;
    let (code, answer) = handle(&body);
    println!("{code} {answer}");
    Ok(())
}

#[test]
fn each_body_has_its_status() {
    let post = |puzzle: &str| handle(&json!({ "puzzle": puzzle }).to_string());
    let puzzle =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let (status, body) = post(puzzle);
    assert!(status == 200 && body["solution"].as_str().unwrap().starts_with("534"), "{body}");
    let [clash, several] = [puzzle.replace('7', "5"), ".".repeat(81)];
    let refused = [handle("{"), handle("{}"), post("53"), post(&clash), post(&several)];
    assert_eq!(refused.map(|it| it.0), [400, 400, 400, 422, 422]);
}
