//! A scene over the one it extends.

use crate::config::check::is_named;
use crate::config::schema::{Shape, join, shape};
use crate::config::tree::{Entry, Node, Table, Value};

/// Lays `over` on `base`: tables merge key by key, `[[species]]` and `[[props]]` entry by entry of the same name, and
/// everything else is replaced. Both have been checked.
pub(crate) fn merge(base: &mut Table, over: Table) {
    merge_at(base, over, "");
}

fn merge_at(base: &mut Table, over: Table, path: &str) {
    for entry in over.0 {
        // Names of the user's own are no part of a schema path.
        let path = match shape(path) {
            Some(Shape::Map) => format!("{path}.*"),
            _ => join(path, &entry.name),
        };
        match base.0.iter_mut().find(|below| below.name == entry.name) {
            None => base.0.push(entry),
            Some(below) => {
                below.mark = entry.mark;
                merge_node(&mut below.node, entry.node, &path);
            }
        }
    }
}

fn merge_node(below: &mut Node, over: Node, path: &str) {
    match (&mut below.value, over.value) {
        (Value::Table(below_table), Value::Table(over_table)) => {
            below.mark = over.mark;
            merge_at(below_table, over_table, path);
        }
        (Value::List(below_list), Value::List(over_list)) if is_named(path) => {
            for node in over_list {
                let name = name_of(&node);
                match below_list.iter_mut().find(|below| name.is_some() && name_of(below) == name) {
                    Some(below) => merge_node(below, node, &format!("{path}[]")),
                    None => below_list.push(node),
                }
            }
        }
        (_, value) => *below = Node { value, mark: over.mark },
    }
}

/// Name of an entry of a list of named tables.
pub(crate) fn name_of(node: &Node) -> Option<&str> {
    node.table()?.get("name")?.text()
}

/// A table with one entry whose key and value stand in the same place.
pub(crate) fn single(name: &str, node: Node) -> Table {
    Table(vec![Entry { name: name.to_owned(), mark: node.mark.clone(), node }])
}
