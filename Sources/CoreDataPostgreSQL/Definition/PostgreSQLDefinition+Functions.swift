// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLDefinition {
    /// The functions that statements call.
    var functions: [String] {
        [
            function(
                "z_utf16_length(x text) RETURNS bigint",
                // A character beyond the basic plane has four bytes in UTF-8 and two units in UTF-16.
                """
                length(x) + length(regexp_replace(x, '[^\\U00010000-\\U0010FFFF]', '', 'g'))
                """),
            function("z_text_equal(x text, y text) RETURNS boolean", "x IS NOT DISTINCT FROM y"),
            function("z_text_begins(x text, y text) RETURNS boolean", "COALESCE(starts_with(x, y), FALSE)"),
            function("z_text_ends(x text, y text) RETURNS boolean", "COALESCE(right(x, length(y)) = y, FALSE)"),
            function("z_text_contains(x text, y text) RETURNS boolean", "COALESCE(strpos(x, y) > 0, FALSE)"),
            prefilterFunction("equal"), prefilterFunction("begins"), prefilterFunction("ends"),
            prefilterFunction("contains"),
            Self.reservation(dialect),
        ]
    }

    /// A prefilter for a comparison under options. It also accepts all texts with characters beyond ASCII, since only
    /// Foundation decides about their cases and marks.
    private func prefilterFunction(_ test: String) -> String {
        let exact = "\(dialect.schemaText).z_text_\(test)"
        return function(
            "z_maybe_\(test)(x text, y text, ignores_case bigint) RETURNS boolean",
            """
            CASE WHEN octet_length(x) <> length(x) OR octet_length(y) <> length(y) THEN TRUE \
            WHEN ignores_case = 1 THEN \(exact)(lower(x COLLATE "C"), lower(y COLLATE "C")) ELSE \(exact)(x, y) END
            """)
    }

    /// A function of one expression, which the server writes into the statement that calls it.
    private func function(_ declaration: String, _ expression: String) -> String {
        """
        CREATE FUNCTION \(dialect.schemaText).\(declaration) LANGUAGE sql IMMUTABLE PARALLEL SAFE \
        RETURN \(expression)
        """
    }

    /// Takes consecutive keys from a sequence. The lock makes the steps atomic, and is released before the function
    /// ends, so that no transaction waits for the end of another one. The lock belongs to the session, which keeps it
    /// after an error. A cancellation may interrupt the function while it has the lock, or before.
    static func reservation(_ dialect: PostgreSQLDialect) -> String {
        let lock = "sequence::oid::integer, \(lockOfKeys)"
        return """
            CREATE FUNCTION \(dialect.schemaText).z_reserve_keys(sequence regclass, count bigint) RETURNS bigint \
            LANGUAGE plpgsql AS $function$
            DECLARE
                first bigint;
            BEGIN
                PERFORM pg_advisory_lock(\(lock));
                first := nextval(sequence);
                PERFORM setval(sequence, first + count - 1);
                PERFORM pg_advisory_unlock(\(lock));
                RETURN first;
            EXCEPTION WHEN \(releasedError) OR OTHERS THEN
                IF EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted
                    AND classid = sequence::oid AND objid = \(lockOfKeys) AND objsubid = 2) THEN
                    PERFORM pg_advisory_unlock(\(lock));
                END IF;
                RAISE;
            END
            $function$
            """
    }

    /// The second half of the key of the lock. The first one is the sequence.
    private static let lockOfKeys = 1_668_246_893
    /// The error that OTHERS doesn't have. The function of an older version names it nowhere.
    private static let releasedError = "query_canceled"

    /// Selects whether the function keeps no lock after an error, or is missing.
    static func hasReservation(_ dialect: PostgreSQLDialect) -> String {
        let name = "\(dialect.schemaText).z_reserve_keys(regclass,bigint)".replacingOccurrences(of: "'", with: "''")
        return """
            COALESCE((SELECT strpos(prosrc, '\(releasedError)') > 0 FROM pg_proc \
            WHERE oid = to_regprocedure('\(name)')), TRUE)
            """
    }

    /// Replaces the function of an older version.
    static func replacedReservation(_ dialect: PostgreSQLDialect) -> String {
        reservation(dialect).replacingOccurrences(of: "CREATE FUNCTION", with: "CREATE OR REPLACE FUNCTION")
    }
}
