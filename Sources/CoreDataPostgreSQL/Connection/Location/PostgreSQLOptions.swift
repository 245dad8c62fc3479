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
/// **Extension**: an `NSNumber` that is true if a pooler such as PgBouncer stands between the program and the server,
/// so that a PostgreSQL store uses no named statements. The default is the item `pooler` of the URL, or false.
public let NSPostgreSQLPoolerOption = "NSPostgreSQLPoolerOption"
/// **Extension**: the URL that leads past a pooler to the server, a `URL` or a string. A PostgreSQL store listens there
/// for changes by other programs. The default is the store's own URL, and behind a pooler none: the store then doesn't
/// listen.
public let NSPostgreSQLListenerURLOption = "NSPostgreSQLListenerURLOption"
