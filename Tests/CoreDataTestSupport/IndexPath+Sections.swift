import CoreData

// On macOS AppKit declares `item` and `section`, and only UIKit declares `row`. The tests import neither.
#if canImport(ObjectiveC)
    extension IndexPath {
        package init(row: Int, section: Int) { self = [section, row] }
        package init(item: Int, section: Int) { self = [section, item] }

        package var section: Int {
            get { self[0] }
            set { self[0] = newValue }
        }
        package var row: Int {
            get { self[1] }
            set { self[1] = newValue }
        }
        package var item: Int {
            get { self[1] }
            set { self[1] = newValue }
        }
    }
#endif
