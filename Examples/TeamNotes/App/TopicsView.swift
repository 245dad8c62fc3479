import CoreData
import NotesModel
import SwiftUI

/// The topics and how many notes each has, by a fetch request of the view.
struct TopicsView: View {
    @FetchRequest(sortDescriptors: [NSSortDescriptor(keyPath: \Topic.name, ascending: true)])
    private var topics: FetchedResults<Topic>

    var body: some View {
        List(topics) { topic in
            LabeledContent(topic.name ?? "", value: "\(topic.notes?.count ?? 0)")
        }
        .navigationTitle("Topics")
    }
}
