//! Merging a scene into the one it extends.

use located::{Node, Table, Value};

use crate::schema::{Content, TableSchema};

/// Lays `over` on `base`: tables merge key by key, lists of named tables entry by entry of the same name, and
/// everything else is replaced. Both have been checked.
pub(crate) fn merge(base: &mut Table, over: Table, schema: &TableSchema) {
    merge_entries(base, over, |name, below, over| {
        merge_node(below, over, schema.entry(name).map(|entry| &entry.content))
    });
}

/// Merges each entry of `over` into the one of its name by `lay`, or adds it.
fn merge_entries(base: &mut Table, over: Table, lay: impl Fn(&str, &mut Node, Node)) {
    for entry in over.0 {
        match base.0.iter_mut().find(|below| below.name == entry.name) {
            None => base.0.push(entry),
            Some(below) => {
                below.span = entry.span;
                lay(&entry.name, &mut below.node, entry.node);
            }
        }
    }
}

fn merge_node(below: &mut Node, over: Node, content: Option<&Content>) {
    match (content, &mut below.value, over.value) {
        (Some(Content::Table(schema)), Value::Table(base), Value::Table(table)) => {
            merge(base, table, schema);
            below.span = over.span;
        }
        (Some(Content::Map(schema)), Value::Table(base), Value::Table(named)) => {
            merge_entries(base, named, |_, below, over| merge_table(below, over, schema));
            below.span = over.span;
        }
        (Some(Content::List(schema)), Value::List(base), Value::List(list)) if schema.is_named() => {
            for node in list {
                match base.iter_mut().find(|below| below.name() == node.name()) {
                    Some(below) => merge_table(below, node, schema),
                    None => base.push(node),
                }
            }
        }
        (_, _, value) => *below = Node { value, span: over.span },
    }
}

fn merge_table(below: &mut Node, over: Node, schema: &TableSchema) {
    below.span = over.span;
    if let (Value::Table(base), Value::Table(table)) = (&mut below.value, over.value) {
        merge(base, table, schema);
    }
}
