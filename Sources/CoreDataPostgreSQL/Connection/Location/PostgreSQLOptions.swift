// SPDX-License-Identifier: Apache-2.0

/// **Extension**: the schema of a PostgreSQL store, a string. The default is the item `schema` of the URL, or `public`.
public let NSPostgreSQLSchemaOption = "NSPostgreSQLSchemaOption"
/// **Extension**: the largest number of connections of a PostgreSQL store, an `NSNumber`. The default is the item
/// `pool_size` of the URL, or 10.
public let NSPostgreSQLPoolSizeOption = "NSPostgreSQLPoolSizeOption"
/// **Extension**: how many seconds a request of a PostgreSQL store waits for a free connection, an `NSNumber`. The
/// default is the item `pool_timeout` of the URL, or 30. Then the request throws `NSPersistentStoreTimeoutError`.
public let NSPostgreSQLPoolTimeoutOption = "NSPostgreSQLPoolTimeoutOption"
/// **Extension**: how many seconds a PostgreSQL store tries to connect to one host, an `NSNumber`. The default is the
/// item `connect_timeout` of the URL, or 10.
public let NSPostgreSQLConnectTimeoutOption = "NSPostgreSQLConnectTimeoutOption"
/// **Extension**: how many seconds a PostgreSQL store waits for an answer, an `NSNumber`. Then it asks the server over
/// another connection whether the server still works on the request. If not, the connection counts as lost. The default
/// is the item `silence_timeout` of the URL, or 30; 0 waits for ever. A pooler can't tell whether the server works on a
/// request: behind a pooler the connection counts as lost at once after the time, and the default is 0.
public let NSPostgreSQLSilenceTimeoutOption = "NSPostgreSQLSilenceTimeoutOption"
/// **Extension**: how many seconds a transaction of a PostgreSQL store may be idle before the server ends it, an
/// `NSNumber`. The default is the item `idle_transaction_timeout` of the URL, or 60; 0 stands for no limit. The
/// transactions of query generations and migrations have no limit.
public let NSPostgreSQLIdleTransactionTimeoutOption = "NSPostgreSQLIdleTransactionTimeoutOption"
/// **Extension**: an `NSNumber` that is true if a pooler such as PgBouncer stands between the program and the server,
/// so that a PostgreSQL store uses no named statements. The default is the item `pooler` of the URL, or false.
public let NSPostgreSQLPoolerOption = "NSPostgreSQLPoolerOption"
/// **Extension**: the URL of the server behind a pooler, a `URL` or a string. A PostgreSQL store listens there for
/// changes by other programs. The default is the URL of the store. Behind a pooler there is no default, and without the
/// option the store doesn't listen.
public let NSPostgreSQLListenerURLOption = "NSPostgreSQLListenerURLOption"
