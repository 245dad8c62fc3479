extension PredicateTable {
    static var toOne: [PredicateRow] {
        [PredicateRow](
            "Work",
            """
            author.name == 'Ann' -> Atlas Birds
            author.name != 'Ann' -> but Atlas Birds; but Atlas Birds Fog
            author == nil -> Fog
            author != nil -> but Fog
            author.name == nil -> Fog
            author.name != nil -> but Fog
            author.age > 35 -> Clouds Dreams Echo
            author.age == 30 -> Atlas Birds Grass
            author.title == nil -> Clouds Fog
            author.home.name == 'Ald' -> Atlas Birds Clouds
            author.home == nil -> Grass Fog
            author.home.land.name == 'Aria' -> Atlas Birds Clouds
            author.home.land.code == nil -> Dreams Echo Grass Fog
            author.home.land.code == 'AR' -> Atlas Birds Clouds
            author.home.land.code != 'AR' -> Dreams Echo Grass Fog;
            author.parent.name == 'Eva' -> Grass
            author.teacher.name == 'Eva' -> Atlas Birds Grass
            author.teacher.home.name == 'Cor' -> Atlas Birds Grass
            author.teacher.home.land.name == 'Boria' -> Atlas Birds Grass
            author.teacher.home.land.code == nil -> all
            author.name BEGINSWITH[c] 'e' -> Dreams Echo
            author.name IN {'Ann', 'Fay'} -> Atlas Birds Grass
            author.age BETWEEN {30, 40} -> Atlas Birds Clouds Grass
            author.age + 1 == 31 -> Atlas Birds Grass
            author.home.people > 500 -> Atlas Birds Clouds
            author.home.people == nil -> Dreams Echo Grass Fog
            NOT author.name == 'Ann' -> but Atlas Birds; but Atlas Birds Fog
            NOT author.age > 35 -> Atlas Birds Fog Grass; Atlas Birds Grass
            NOT (author.home.name == 'Ald' OR author.age > 60) -> Fog Grass;
            author.name < name -> Atlas Birds Clouds Grass
            author.name == author.name -> all; but Fog
            author.alive == YES -> Atlas Birds Clouds Dreams Echo
            author.alive == nil -> Grass Fog
            author.born < CAST(0, 'NSDate') -> Clouds Dreams Echo
            author.home.founded < author.born -> Atlas Birds Clouds
            author.self.name == 'Bob' -> Clouds
            SELF.author.name == 'Bob' -> Clouds
            author.name.length == 3 -> but Fog
            author.age * author.age == 900 -> Atlas Birds Grass
            length(author.title) == 4 -> Dreams Echo
            author.teacher == author.parent -> Clouds Dreams Echo Grass Fog; Grass
            author.home == author.teacher.home -> Fog;
            """)
            + [PredicateRow](
                "Chapter",
                """
                work.author.name == 'Ann' -> Intro Lands Seas Wings
                work.author.home.land.name == 'Aria' -> Intro Lands Seas Wings
                work.author == nil -> Mist
                work.price > 10 -> Intro Lands Seas Call Reply
                work.year < 2000 -> Intro Lands Seas Mist
                work.pages / number == 150 -> Lands Reply
                words > work.pages * 10 -> Lands Wings
                work.name CONTAINS[c] 'A' -> Intro Lands Seas Night
                NOT work.author.home.land.name == 'Aria' -> Night Call Reply Mist; Call Night Reply
                """)
            + [PredicateRow](
                "Sample",
                """
                next.next.name == 'c' -> a
                next.next.next.name == 'c' -> z
                next.next.next.name == 'd' -> d
                next.next.next.next.next.name == 'd' -> d
                next.name == name -> d
                next == SELF -> d
                next.next == nil -> n b c h m lo hi
                next.i16 > i16 -> z a
                next.i16 + i16 == 3 -> a
                next.text == 'banana' -> a
                next.self == next -> all; a b d h z
                """)
            + [PredicateRow](
                "Being",
                """
                parent.parent.name == 'Ann' -> Kid
                parent.home.name == 'Ald' -> Dot Kid
                parent == nil -> but Dot Kid Fay Tom
                home.land.name == 'Aria' -> Ann Bob Dot Rex Tom Cid Sly
                home.land == nil -> Gus Fay Kid Mia Ufo
                home.name == nil -> Fay Kid Mia Ufo
                parent.home == home -> Dot Mia Ufo; Dot
                """)
    }

    /// A collection without elements: ANY is false, ALL and NONE are true.
    static var modifiers: [PredicateRow] {
        [PredicateRow](
            "Person",
            """
            ANY works.year == 2001 -> Ann Bob
            SOME works.year == 2001 -> Ann Bob
            ANY works.year != 2001 -> Ann Eva Fay
            ALL works.year > 2000 -> Bob Fay Cid Dot Gus Kid
            ALL works.year != nil -> but Eva
            NONE works.year == 2001 -> but Ann Bob
            ANY works.year == nil -> Eva
            ANY works.year IN {1990, 2020} -> Ann Fay
            ALL works.year IN {1990, 2001} -> but Eva Fay
            ANY works.year BETWEEN {2005, 2015} -> Eva
            ANY works.name BEGINSWITH 'B' -> Ann
            ANY works.name CONTAINS[c] 'R' -> Ann Eva Fay
            ANY works.name LIKE '?o*' ->
            ANY works.name LIKE '?r*' -> Eva Fay
            ALL works.rating >= 3 -> Ann Fay Cid Dot Gus Kid
            NOT (ANY works.rating < 3) -> but Eva
            NOT (ALL works.rating >= 3) -> Bob Eva
            NOT ANY works.rating < 3 -> but Eva
            NONE works.rating == nil -> but Bob
            ANY works.tags.name == 'old' -> Ann Eva
            ALL works.tags.name == 'nature' -> Cid Dot Gus Kid
            NONE works.tags.name == 'old' -> but Ann Eva
            ANY works.tags.weight > 2 -> Bob
            ANY works.tags.weight == nil -> Ann Eva
            ANY works.tags.works.name == 'Fog' -> Ann Bob Eva
            ANY works.tags.works.author.name == 'Bob' -> Ann Bob Fay
            ANY friends.name == 'Ann' -> Bob Cid
            ANY friends.home.name == 'Ald' -> Ann Bob Cid
            ANY friends.friends.name == 'Cid' -> Bob Cid
            ANY pets.kind == 'cat' -> Ann Bob
            ANY pets.legs == nil -> Eva
            ALL pets.legs == 4 -> but Bob Eva
            ANY children.children.name == 'Kid' -> Ann
            ANY teacher.students.name == 'Cid' -> Ann Cid Fay
            ANY home.dwellers.name == 'Dot' -> Ann Bob Dot
            ALL home.dwellers.alive == YES -> Ann Bob Dot Eva Fay Kid
            ANY works.chapters.words > 2500 -> Ann
            ANY works.chapters.words == nil -> Eva
            ANY works.year == 2001 AND ANY works.year == 1990 -> Ann
            ANY works.year == 2001 OR age > 60 -> Ann Bob Eva
            ANY works.author.age == age -> Ann Bob Eva Fay
            ANY works.pages > age * 5 -> Ann
            ANY works.price < 8 -> Eva Fay
            any works.name ==[c] 'atlas' -> Ann
            """)
            + [PredicateRow](
                "Town",
                """
                ANY dwellers.alive == NO -> Bex Dun
                ANY dwellers.name IN {'Ann', 'Sly'} -> Ald Bex
                ANY land.towns.name == 'Ald' -> Ald Bex
                ALL dwellers.alive != nil -> Ald Cor Dun
                ANY dwellers.born < founded ->
                ANY dwellers.born > founded -> Ald
                """)
            + [PredicateRow](
                "Land",
                """
                ANY towns.name == 'Ald' -> Aria
                ANY towns.dwellers.name == 'Eva' -> Boria
                ALL towns.people > 100 -> Aria Coria
                NONE towns.people > 100 -> Boria Coria
                ANY towns.dwellers.friends.name == 'Bob' -> Aria
                ANY towns.dwellers.friends.home.name == 'Dun' -> Boria
                """)
            + [PredicateRow](
                "Work",
                """
                ANY tags.name == 'old' -> Atlas Echo Fog
                ALL tags.name == 'old' -> Echo Dreams
                NONE tags.name == 'old' -> Birds Clouds Dreams Grass
                ANY tags.weight > 2 -> Clouds Fog
                ANY tags.name == 'old' AND ANY tags.name == 'sky' -> Fog
                ANY tags.name LIKE '*a*' -> Atlas Birds Clouds Grass
                ANY tags.name MATCHES 's.*' -> Clouds Fog
                ANY tags.name BETWEEN {'m', 'p'} -> but Dreams
                ANY tags.name ==[c] 'SKY' -> Clouds Fog
                ANY tags.works.name == name -> but Dreams
                ANY chapters.words < 100 -> Echo
                ALL chapters.words > 500 -> Atlas Birds Fog Clouds Grass
                ANY chapters.number == 3 -> Atlas
                ANY chapters.words > pages -> Atlas Birds Fog
                ANY chapters.words > pages * 10 -> Atlas Birds
                ANY author.works.name == 'Echo' -> Dreams Echo
                ANY author.pets.kind == 'dog' -> Atlas Birds
                ANY author.friends.name == 'Ann' -> Clouds
                """)
            + [PredicateRow](
                "Tag",
                """
                ANY works.author.name == 'Ann' -> maps old nature
                ANY works.author == nil -> old sky
                NONE works.author == nil -> maps nature void
                ALL works.author.alive == YES -> void
                ALL works.pages > 100 -> old void
                ANY works.author.home.land.name == 'Aria' -> but void
                ANY works.author.name == nil -> old sky
                """)
    }

    static var containment: [PredicateRow] {
        [PredicateRow](
            "Person",
            """
            'Birds' IN works.name -> Ann
            works.name CONTAINS 'Birds' -> Ann
            works.name CONTAINS[c] 'birds' -> Ann
            'Bird' IN works.name ->
            'Cid' IN friends.name -> Ann
            'bob' IN[c] friends.name -> Ann
            2001 IN works.year -> Ann Bob
            nil IN works.year ->
            title IN {'Dr', 'Mr'} -> Ann Cid Fay
            name IN works.author.name -> Ann Bob Eva Fay
            NOT 'Birds' IN works.name -> but Ann
            home.name IN works.author.home.name -> Ann Bob Eva
            'Ald' IN home.name -> Ann Bob Dot
            age IN works.author.age -> Ann Bob Eva Fay
            60 IN works.pages -> Fay
            works.pages CONTAINS 300 -> Ann Eva
            works.rating CONTAINS 4.5 -> Ann Fay
            home IN works.author.home -> Ann Bob Eva
            SELF IN works.author -> Ann Bob Eva Fay
            SELF IN home.dwellers -> Ann Bob Cid Dot Gus Eva
            NOT SELF IN home.dwellers -> Kid Fay;
            parent IN works.author.parent -> Fay
            """)
            + [PredicateRow](
                "Work",
                """
                'old' IN tags.name -> Atlas Echo Fog
                tags.name CONTAINS[c] 'OLD' -> Atlas Echo Fog
                pages IN {60, 80, nil} -> Grass Clouds
                author.name IN 'Ann and Bob' -> Atlas Birds Clouds
                'Seas' IN chapters.name -> Atlas
                3000 IN chapters.words -> Atlas
                author.name IN {name, 'Eva'} -> Dreams Echo
                SELF IN author.works -> but Fog
                author IN author.home.dwellers -> but Fog Grass
                """)
    }
}
