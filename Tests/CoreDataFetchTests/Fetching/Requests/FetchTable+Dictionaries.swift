extension FetchTable {
    /// Requests for dictionaries: `()` is one without keys, since what is missing has none.
    static let dictionaries: [FetchRow] =
        FetchRow.table(
            "Work",
            """
            fetch name, year; sort name; limit 3 -> name=Atlas year=1990 | name=Birds year=2001 | name=Clouds year=2001
            fetch name, year; where author.name == 'Eva'; sort name -> name=Dreams | name=Echo year=2010
            fetch name; sort -name; limit 2; offset 1 -> name=Fog | name=Echo
            fetch name; where year == 2001 -> name=Birds | name=Clouds
            fetch author.name, name; where pages > 100; sort name -> author.name=Ann name=Atlas | author.name=Ann \
            name=Birds | author.name=Eva name=Echo | name=Fog
            fetch author; where year > 2005; sort year -> author=Eva | author=Fay
            fetch author.home.land.name, name; sort author.home.land.name name; limit 3 -> name=Fog | name=Grass | \
            author.home.land.name=Aria name=Atlas
            fetch price, rating; where name IN {'Birds', 'Clouds'}; sort name -> price=9.5 rating=3.0 | ()
            fetch n := count:(SELF) -> n=7
            fetch n := count:(SELF); where year == 2001 -> n=2
            fetch n := count:(SELF); where year == 1 -> n=0
            fetch n := count:(year) -> n=6
            fetch p := sum:(pages) -> p=1060
            fetch m := max:(year) -> m=2020
            fetch m := max:(year); where year == 1 -> ()
            fetch m := min:(year), x := max:(pages) -> m=1850 x=300
            fetch a := average:(pages); where year == 2001 -> a=100.0
            fetch s := sum:(price) -> s=61.75
            fetch r := sum:(rating) -> r=20.0
            fetch x := min:(name), y := max:(name) -> x=Atlas y=Grass
            fetch d := year - 2000; where year > 2000; sort year name -> d=1 | d=1 | d=10 | d=20
            fetch name, l := length:(name); where pages > 150; sort name -> l=5 name=Atlas | l=4 name=Echo | l=3 \
            name=Fog
            fetch u := uppercase:(name); where name BEGINSWITH 'E' -> u=ECHO
            fetch c := chapters.@count, name; sort -c name; limit 3 -> c=3 name=Atlas | c=2 name=Echo | c=1 name=Birds
            fetch name, w := chapters.@max.words; where chapters.@count > 0; sort name -> name=Atlas w=5000 | \
            name=Birds w=2000 | name=Dreams | name=Echo w=20 | name=Fog w=700
            fetch name, cheap := TERNARY(price < 10, 'yes', 'no'); where year == 2001; sort name -> cheap=yes \
            name=Birds | cheap=no name=Clouds
            fetch year, n := count:(SELF); group year; sort year -> n=1 | n=1 year=1850 | n=1 year=1990 | n=2 \
            year=2001 | n=1 year=2010 | n=1 year=2020
            fetch year, n := count:(SELF); group year; having $n > 1 -> n=2 year=2001
            fetch year, n := count:(SELF); group year; having count:(SELF) > 1 OR year == 1850; sort -year -> n=2 \
            year=2001 | n=1 year=1850
            fetch year, n := count:(SELF); group year; sort year; limit 2; offset 3 -> n=2 year=2001 | n=1 year=2010
            fetch author.name, n := count:(SELF), p := sum:(pages); group author.name; sort author.name -> n=1 p=200 | \
            author.name=Ann n=2 p=420 | author.name=Bob n=1 p=80 | author.name=Eva n=2 p=300 | author.name=Fay n=1 p=60
            fetch author.name, p := sum:(pages); group author.name; sort -p; limit 2 -> author.name=Ann p=420 | \
            author.name=Eva p=300
            fetch author, n := count:(SELF); group author; having $n == 2 -> author=Ann n=2 | author=Eva n=2
            fetch pages, n := count:(SELF); group pages; where pages >= 200; sort pages -> n=1 pages=200 | n=2 pages=300
            fetch decade := year / 10 * 10, n := count:(SELF); group decade; where year > 1900; sort decade -> \
            decade=1990 n=1 | decade=2000 n=2 | decade=2010 n=1 | decade=2020 n=1
            fetch author.home.name, r := max:(rating); group author.home.name; sort author.home.name -> r=4.5 | \
            author.home.name=Ald r=4.5 | author.home.name=Cor r=5.0
            fetch author.name, year; group author.name, year; where author.age < 50; sort author.name year -> \
            author.name=Ann year=1990 | author.name=Ann year=2001 | author.name=Bob year=2001 | author.name=Fay \
            year=2020
            fetch year; distinct; sort year -> () | year=1850 | year=1990 | year=2001 | year=2010 | year=2020
            fetch pages; distinct; where pages != nil; sort -pages; limit 2 -> pages=300 | pages=200
            fetch author.name; distinct; sort author.name -> () | author.name=Ann | author.name=Bob | author.name=Eva \
            | author.name=Fay
            fetch author; distinct; where author.home.name == 'Ald' -> author=Ann | author=Bob
            fetch name; where ANY tags.name == 'old'; sort name -> name=Atlas | name=Echo | name=Fog
            """)
        + FetchRow.table(
            "Animal",
            """
            fetch kind, n := count:(SELF), l := sum:(legs); group kind; where kind != nil; sort kind -> kind=cat l=7 \
            n=2 | kind=dog l=4 n=1 | kind=snake l=0 n=1
            fetch owner.name, name; where owner != nil; sort name -> name=Mia owner.name=Bob | name=Rex owner.name=Ann \
            | name=Tom owner.name=Ann | name=Ufo owner.name=Eva
            """)
        + FetchRow.table(
            "Person",
            """
            fetch age, n := count:(SELF); group age; having $n > 1 -> age=30 n=3
            fetch n := count:(SELF); exact -> n=6
            fetch n := count:(SELF) -> n=8
            fetch title, oldest := max:(age); group title; where title != nil; sort title -> oldest=8 title= | \
            oldest=30 title=Dr | title=Mr | oldest=62 title=Prof
            """)
        + FetchRow.table(
            "Being",
            """
            fetch n := count:(SELF) -> n=13
            fetch alive, n := count:(SELF); group alive; sort alive -> n=4 | alive=0 n=3 | alive=1 n=6
            """)
        + FetchRow.table(
            "Sample",
            """
            fetch day; where name == 'h' -> day=@43200.0
            fetch flag, n := count:(SELF); group flag; sort flag -> n=3 | flag=0 n=3 | flag=1 n=4
            fetch dec; where name == 'd' -> dec=19.99
            fetch bytes; where name == 'hi' -> bytes=3 bytes
            fetch uuid; where name == 'a' -> uuid=11111111-2222-3333-4444-555555555555
            fetch link; where name == 'a' -> link=http://a.example/x
            fetch next; where next.name == 'd' -> next=d
            fetch i64; where name IN {'lo', 'hi'}; sort i64 -> i64=-9223372036854775808 | i64=9223372036854775807
            """)
        + FetchRow.table(
            "Town",
            """
            fetch name, k := dwellers.@count; sort name -> k=5 name=Ald | k=2 name=Bex | k=1 name=Cor | k=1 name=Dun
            fetch land.name, n := count:(SELF), p := sum:(people); group land.name; where people != nil; sort \
            land.name -> n=1 p=0 | land.name=Aria n=2 p=1250
            """)
        + FetchRow.table(
            "Chapter",
            """
            fetch work.author.name, n := count:(SELF), w := sum:(words); group work.author.name; sort work.author.name \
            -> n=1 w=700 | n=4 w=11000 work.author.name=Ann | n=3 w=30 work.author.name=Eva
            """)
        + FetchRow.table(
            "Tag",
            """
            fetch name, weight; where weight > 1; sort -weight -> name=void weight=5 | name=sky weight=3 | name=nature \
            weight=2
            """)
}
