/// Requests for objects, which are executed for IDs and counts, too.
enum FetchTable {
    static let objects: [FetchRow] = order + parts + entities

    private static var order: [FetchRow] {
        FetchRow.table(
            "Work",
            """
            sort name -> Atlas Birds Clouds Dreams Echo Fog Grass
            sort -name -> Grass Fog Echo Dreams Clouds Birds Atlas
            sort year name -> Dreams Fog Atlas Birds Clouds Echo Grass
            sort year -name -> Dreams Fog Atlas Clouds Birds Echo Grass
            sort -year name -> Grass Echo Birds Clouds Atlas Fog Dreams
            sort -year -name -> Grass Echo Clouds Birds Atlas Fog Dreams
            sort price name -> Clouds Fog Dreams Grass Birds Atlas Echo
            sort -price name -> Atlas Echo Birds Grass Dreams Fog Clouds
            sort rating -name -> Clouds Fog Dreams Birds Grass Atlas Echo
            sort pages -rating -> Dreams Grass Clouds Birds Fog Echo Atlas
            sort pages -price -rating -> Dreams Grass Clouds Birds Fog Echo Atlas
            sort author.name name -> Fog Atlas Birds Clouds Dreams Echo Grass
            sort -author.name name -> Grass Dreams Echo Clouds Atlas Birds Fog
            sort author.age name -> Fog Atlas Birds Grass Clouds Dreams Echo
            sort author.home.name name -> Fog Grass Atlas Birds Clouds Dreams Echo
            sort -author.home.land.name -year name -> Echo Dreams Birds Clouds Atlas Grass Fog
            sort author.title -name -> Fog Clouds Grass Birds Atlas Echo Dreams
            sort author.alive -author.age name -> Grass Fog Dreams Echo Clouds Atlas Birds
            sort tags.@count name -> Dreams Birds Echo Atlas Clouds Fog Grass
            sort -chapters.@count name -> Atlas Echo Birds Dreams Fog Clouds Grass
            sort name/caseInsensitiveCompare: -> Atlas Birds Clouds Dreams Echo Fog Grass
            sort -name/localizedStandardCompare: -> Grass Fog Echo Dreams Clouds Birds Atlas
            """)
            + FetchRow.table(
                "Sample",
                """
                sort i16 name -> h n lo c z a b m d hi
                sort -i16 name -> hi d m b a z c lo h n
                sort i64 name -> h n lo c z a m b d hi
                sort j -name -> n d lo c z b a m h hi
                sort flag name -> h m n c lo z a b d hi
                sort -flag name -> a b d hi c lo z h m n
                sort day name -> d m n lo c z h a b hi
                sort -day name -> hi b a h z c lo d m n
                sort dec -> n lo c z h a b m d hi
                sort dbl name -> m n lo c z h a b d hi
                sort -flt name -> hi d b a h z c lo m n
                sort text name -> h n z c lo a b d m hi
                sort -text name -> hi m d b a lo c z h n
                sort text/caseInsensitiveCompare: name -> h n z lo a b c d m hi
                sort label name -> d n z lo hi a b c h m
                sort label/caseInsensitiveCompare: name -> d n z lo a b c h m hi
                sort -label/caseInsensitiveCompare: name -> hi m h c b a lo z d n
                sort label/localizedCaseInsensitiveCompare: name -> d n z lo a b c h m hi
                sort uuid name -> c d h lo m n z a b hi
                sort next.name name -> c hi lo m n z a b d h
                sort next.next.name -name -> n m lo hi h c b z a d
                sort -next.i16 name -> d a z b c h hi lo m n
                """)
    }

    private static var parts: [FetchRow] {
        FetchRow.table(
            "Work",
            """
            where year == 2001 -> Birds Clouds
            where year > 1990; sort name -> Birds Clouds Echo Grass
            where year > 1990; sort -year name -> Grass Echo Birds Clouds
            where author == nil -> Fog
            where year == 3000 ->
            sort name; limit 3 -> Atlas Birds Clouds
            sort -name; limit 3 -> Grass Fog Echo
            sort name; limit 1 -> Atlas
            sort name; limit 7 -> Atlas Birds Clouds Dreams Echo Fog Grass
            sort name; limit 100 -> Atlas Birds Clouds Dreams Echo Fog Grass
            sort name; offset 5 -> Fog Grass
            sort name; offset 7 ->
            sort name; offset 100 ->
            sort name; offset 6; limit 5 -> Grass
            sort name; limit 2; offset 2 -> Clouds Dreams
            sort name; limit 2; offset 4 -> Echo Fog
            sort -year name; limit 2; offset 1 -> Echo Birds
            sort year name; limit 2 -> Dreams Fog
            sort author.name name; limit 2; offset 1 -> Atlas Birds
            where year == 2001; limit 5 -> Birds Clouds
            where year > 1990; sort name; limit 2 -> Birds Clouds
            where year > 1990; sort name; limit 2; offset 1 -> Clouds Echo
            where year > 1990; sort name; offset 3 -> Grass
            where ANY tags.name == 'old'; sort name; limit 2 -> Atlas Echo
            where ANY tags.name == 'old'; sort -name; offset 1 -> Echo Atlas
            where ANY chapters.words > 5 AND ANY tags.weight >= 1; sort name -> Atlas Birds Fog
            where author.home.name == 'Ald'; sort author.name -name; limit 2 -> Birds Atlas
            where SUBQUERY(tags, $t, $t.weight > 1).@count > 0; sort -rating name; limit 2 -> Grass Birds
            where tags.@count == 2; sort pages; offset 1; limit 2 -> Clouds Fog
            where NOT author.name == 'Ann'; sort name; limit 3 -> Clouds Dreams Echo
            where TRUEPREDICATE; sort name; limit 1 -> Atlas
            where FALSEPREDICATE; sort name; limit 1 ->
            where year IN {1990, 2010, 2020}; sort -name -> Grass Echo Atlas
            """)
    }

    private static var entities: [FetchRow] {
        FetchRow.table(
            "Being",
            """
            sort name -> Ann Bob Cid Dot Eva Fay Gus Kid Mia Rex Sly Tom Ufo
            exact ->
            sort name; limit 4 -> Ann Bob Cid Dot
            sort home.name -name -> Ufo Mia Kid Fay Tom Rex Dot Bob Ann Sly Cid Eva Gus
            sort parent.name name; offset 9 -> Dot Kid Fay Tom
            where alive == YES; sort name -> Ann Bob Dot Eva Rex Tom
            where home.name == 'Ald'; sort -name; limit 2 -> Tom Rex
            where age == 30; sort name -> Ann Fay Gus
            where legs > 0; sort -legs name -> Rex Tom Mia
            where degree != nil -> Eva
            sort age name; offset 6 -> Kid Dot Ann Fay Gus Bob Eva
            sort -age name; limit 3 -> Eva Bob Ann
            sort -kind -age name; limit 5 -> Sly Rex Mia Tom Eva
            sort born name; offset 9 -> Bob Ann Dot Rex
            where children.@count > 0; sort name -> Ann Dot Eva Mia
            """)
            + FetchRow.table(
                "Person",
                """
                sort name -> Ann Bob Cid Dot Eva Fay Gus Kid
                exact; sort name -> Ann Bob Cid Dot Gus Kid
                exact; where age == 30; sort name -> Ann Gus
                where age == 30; sort name -> Ann Fay Gus
                exact; sort -age name; limit 2 -> Bob Ann
                sort height name -> Cid Gus Kid Dot Eva Ann Fay Bob
                sort title name -> Bob Gus Kid Dot Ann Fay Cid Eva
                sort works.@count name; offset 4 -> Bob Fay Ann Eva
                where works.@count > 0; sort -works.@count name -> Ann Eva Bob Fay
                where teacher != nil; sort teacher.name -name -> Fay Cid Ann
                """)
            + FetchRow.table(
                "Scholar",
                """
                sort name -> Eva Fay
                exact; sort -name -> Fay Eva
                where age > 60 -> Eva
                """)
            + FetchRow.table(
                "Animal",
                """
                sort legs name -> Ufo Sly Mia Rex Tom
                sort owner.name -name -> Sly Tom Rex Mia Ufo
                where owner.name == 'Ann'; sort -name -> Tom Rex
                """)
            + FetchRow.table(
                "Chapter",
                """
                sort work.name number -> Intro Lands Seas Wings Night Call Reply Mist
                sort -work.author.name -words; limit 3 -> Reply Call Night
                where number == 1; sort name -> Call Intro Mist Night Wings
                """)
            + FetchRow.table(
                "Land",
                """
                sort code -> Boria Aria Coria
                sort -towns.@count name -> Aria Boria Coria
                """)
            + FetchRow.table(
                "Word",
                """
                where text BEGINSWITH 'caf'; sort text -> cafe cafeD cafeC
                """)
    }
}
