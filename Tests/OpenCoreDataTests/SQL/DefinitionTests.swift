import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

/// The SQL text of the example of the file format, verbatim.
private let albumDefinition = """
    CREATE TABLE ZALBUM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISLIVE INTEGER, ZTRACKCOUNT \
    INTEGER, ZPERFORMER INTEGER, Z2_PERFORMER INTEGER, ZADDED TIMESTAMP, ZRATING FLOAT, ZPRICE DECIMAL, ZTITLE \
    VARCHAR, ZLINK VARCHAR, ZIDENT BLOB, ZINFO BLOB, ZCOVER BLOB )
    CREATE TABLE Z_1TAGS ( Z_1ALBUMS INTEGER, Z_5TAGS INTEGER, Z_FOK_5TAGS INTEGER, PRIMARY KEY (Z_1ALBUMS, Z_5TAGS) )
    CREATE TABLE ZARTIST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMEMBEROF INTEGER, ZFOUNDED \
    TIMESTAMP, ZNAME VARCHAR, ZORIGIN VARCHAR, ZORIGIN1 VARCHAR )
    CREATE TABLE Z_2FRIENDS ( Z_2FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_2FRIENDS, REFLEXIVE) )
    CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )
    CREATE TABLE ZTRACK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZALBUM INTEGER, Z_FOK_ALBUM INTEGER, \
    ZTITLE VARCHAR )
    CREATE INDEX ZALBUM_ZPERFORMER_INDEX ON ZALBUM (ZPERFORMER)
    CREATE INDEX Z_1TAGS_Z_5TAGS_INDEX ON Z_1TAGS (Z_5TAGS, Z_1ALBUMS)
    CREATE INDEX Z_Album_byTitle ON ZALBUM (ZTITLE COLLATE BINARY DESC, ZADDED COLLATE BINARY ASC)
    CREATE UNIQUE INDEX Z_Album_UNIQUE_ident ON ZALBUM (ZIDENT COLLATE BINARY ASC)
    CREATE INDEX ZARTIST_ZMEMBEROF_INDEX ON ZARTIST (ZMEMBEROF)
    CREATE INDEX Z_2FRIENDS_REFLEXIVE_INDEX ON Z_2FRIENDS (REFLEXIVE, Z_2FRIENDS)
    CREATE INDEX ZARTIST_Z_ENT_INDEX ON ZARTIST (Z_ENT)
    CREATE INDEX Z_Artist_name ON ZARTIST (ZNAME COLLATE BINARY ASC)
    CREATE INDEX ZTRACK_ZALBUM_INDEX ON ZTRACK (ZALBUM)
    CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_INSERT AFTER INSERT ON ZTRACK FOR EACH ROW WHEN (NEW.ZALBUM \
    NOT NULL) BEGIN UPDATE ZALBUM SET ZTRACKCOUNT = IFNULL(ZTRACKCOUNT, 0) + 1 WHERE Z_PK = NEW.ZALBUM; SELECT \
    NSCoreDataDATriggerUpdatedAffectedObjectValue('ZALBUM', Z_ENT, Z_PK, 'trackCount', ZTRACKCOUNT) FROM ZALBUM WHERE \
    Z_PK = NEW.ZALBUM; END
    CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZALBUM ON ZTRACK FOR EACH \
    ROW WHEN (NEW.ZALBUM NOT NULL) BEGIN UPDATE ZALBUM SET ZTRACKCOUNT = ZTRACKCOUNT + 1 WHERE Z_PK = NEW.ZALBUM; \
    SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZALBUM', Z_ENT, Z_PK, 'trackCount', ZTRACKCOUNT) FROM ZALBUM \
    WHERE Z_PK = NEW.ZALBUM; END
    CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZALBUM ON ZTRACK FOR EACH \
    ROW WHEN (OLD.ZALBUM NOT NULL) BEGIN UPDATE ZALBUM SET ZTRACKCOUNT = ZTRACKCOUNT - 1 WHERE Z_PK = OLD.ZALBUM; \
    SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZALBUM', Z_ENT, Z_PK, 'trackCount', ZTRACKCOUNT) FROM ZALBUM \
    WHERE Z_PK = OLD.ZALBUM; END
    CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_DELETE AFTER DELETE ON ZTRACK FOR EACH ROW WHEN (OLD.ZALBUM \
    NOT NULL) BEGIN UPDATE ZALBUM SET ZTRACKCOUNT = ZTRACKCOUNT - 1 WHERE Z_PK = OLD.ZALBUM; SELECT \
    NSCoreDataDATriggerUpdatedAffectedObjectValue('ZALBUM', Z_ENT, Z_PK, 'trackCount', ZTRACKCOUNT) FROM ZALBUM WHERE \
    Z_PK = OLD.ZALBUM; END
    CREATE TRIGGER Z_DA_ZALBUM_Album_trackCount_SOURCE_INSERT AFTER INSERT ON ZALBUM FOR EACH ROW BEGIN UPDATE ZALBUM \
    SET ZTRACKCOUNT = (SELECT IFNULL(COUNT(ZALBUM), 0) FROM ZTRACK WHERE ZALBUM = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; \
    SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZALBUM', Z_ENT, Z_PK, 'trackCount', ZTRACKCOUNT) FROM \
    ZALBUM WHERE Z_PK = NEW.Z_PK; END
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
    """

@Suite("The SQL text of a new store")
struct DefinitionTests {
    @Test("equals the example of the file format, statement by statement")
    func workedExample() throws {
        let statements = try SQLiteDefinition(SQLSchema(model: AlbumModel.make())).statements()
        let expected = albumDefinition.split(separator: "\n").map(String.init)
        expectEqual(statements.count, expected.count)
        for (statement, text) in zip(statements, expected) { expectEqual(statement, text) }
    }

    @Test("quotes names that are not plain words")
    func quotedNames() throws {
        let odd = AlbumModel.entity("Odd One")
        odd.properties = [AlbumModel.attribute("a\"b", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [odd]
        let statements = try SQLiteDefinition(SQLSchema(model: model)).statements()
        expectEqual(
            statements[0],
            "CREATE TABLE \"ZODD ONE\" ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "\"ZA\"\"B\" VARCHAR )")
    }

    @Test("writes the predicate of a partial index with columns and constants")
    func partialIndex() throws {
        let entity = AlbumModel.entity("Note")
        let (done, text) = (
            AlbumModel.attribute("done", .booleanAttributeType), AlbumModel.attribute("text", .stringAttributeType)
        )
        entity.properties = [done, text]
        let index = NSFetchIndexDescription(
            name: "open", elements: [NSFetchIndexElementDescription(property: text, collationType: .binary)])
        let isOpen = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "done"), rightExpression: NSExpression(forConstantValue: false),
            modifier: .direct, type: .equalTo)
        let hasText = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "text"), rightExpression: NSExpression(forConstantValue: nil),
            modifier: .direct, type: .notEqualTo)
        let isQuoted = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "text"), rightExpression: NSExpression(forConstantValue: "it's"),
            modifier: .direct, type: .equalTo)
        index.partialIndexPredicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            isOpen, NSCompoundPredicate(orPredicateWithSubpredicates: [hasText, isQuoted]),
        ])
        entity.indexes = [index]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let statements = try SQLiteDefinition(SQLSchema(model: model)).statements()
        expectEqual(
            statements[1],
            "CREATE INDEX Z_Note_open ON ZNOTE (ZTEXT COLLATE BINARY ASC) "
                + "WHERE (ZDONE = 0 AND (ZTEXT IS NOT NULL OR ZTEXT = 'it''s'))")
    }
}
