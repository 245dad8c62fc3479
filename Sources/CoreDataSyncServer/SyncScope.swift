// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// A part of the store that a replica may have: the objects that a fetch request template of the model finds, and the
/// objects that they lead to.
///
/// The predicate of the template compares attributes of the objects, or of the objects of one to-one relationship, with
/// constants of the session by `==` and `IN`. Other conditions may be joined by AND. Such conjunctions may be joined by
/// OR:
///
/// ```
/// Member: user == $USER AND left == NO
/// ```
///
/// With `follows: ["project.tasks"]` a member row lets a user into its project, and into the tasks of the project.
public struct SyncScope: Hashable, Sendable {
    /// The name of the template.
    public let template: String
    /// Key paths of relationships from the objects of the template. The objects on the way belong to the scope, too.
    public let follows: [String]

    /// Makes a scope.
    ///
    /// - Parameters:
    ///   - template: the name of the template.
    ///   - follows: key paths of relationships from the objects of the template, such as `project.tasks`.
    public init(_ template: String, follows: [String] = []) {
        self.template = template
        self.follows = follows
    }
}

/// A scope that a server can't have.
public struct SyncScopeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the template.
    public let template: String
    /// The reason.
    public let text: String

    /// The name and the reason.
    public var description: String { "The scope “\(template)”: \(text)" }
}

/// The account of a request, and the constants of its token by their names, without the dollar sign.
public struct SyncAccount: Sendable {
    /// The account that the token belongs to, which is the constant `USER`, too.
    public let name: String
    /// Texts, UUIDs and integers, or lists of them.
    public let constants: [String: [SyncValue]]

    /// Makes an account.
    ///
    /// - Parameters:
    ///   - name: identifies the account. A store on a device belongs to one account.
    ///   - constants: the values of the variables in the templates of scopes, by their names without the dollar sign.
    public init(_ name: String, constants: [String: [SyncValue]] = [:]) {
        self.name = name
        self.constants = constants.merging(["USER": [.text(name)]]) { given, _ in given }
    }
}
