use std::any::Any;
use std::collections::{BTreeSet, HashMap, HashSet, LinkedList};
use std::rc::Rc;

fn build(kind: &str, n: usize) -> Box<dyn Any> {
    match kind {
        "ints" => Box::new(vec![0i32; n]),
        "grid" => Box::new(vec![vec![0i32; n]; n]),
        "grown" => {
            let mut found = Vec::with_capacity(1);
            for i in 0..n as i32 {
                found.push(i);
            }
            Box::new(found)
        }
        "twice" => {
            let one = Rc::new(vec![0i32; n]);
            Box::new((one.clone(), one))
        }
        "list" => Box::new((0..n).collect::<LinkedList<_>>()),
        "map" => Box::new((0..n).map(|i| (i, i)).collect::<HashMap<_, _>>()),
        "set" => Box::new((0..n).collect::<HashSet<_>>()),
        "ordered" => Box::new((0..n).collect::<BTreeSet<_>>()),
        "bits" => Box::new(vec![0u8; n]),
        "boxed" => Box::new((0..n).map(Box::new).collect::<Vec<_>>()),
        "text" => Box::new("x".repeat(n)),
        "freed" => {
            drop(vec!["x".repeat(n); n]);
            Box::new(())
        }
        _ => panic!("{kind}"),
    }
}

fn main() {
    for n in [8, 64, 512] {
        for kind in std::env::args().skip(1) {
            let before = noughts_bytes::live_bytes();
            let kept = build(&kind, n);
            let after = noughts_bytes::live_bytes();
            println!("{kind} {n} {}", after as i64 - before as i64);
            drop(kept);
        }
    }
}
