extension PredicateTable {
    static var aggregates: [PredicateRow] {
        [PredicateRow](
            "Person",
            """
            works.@count == 2 -> Ann Eva
            works.@count == 0 -> Cid Dot Gus Kid
            works.@count > 0 -> Ann Bob Eva Fay
            works.@count != 0 -> Ann Bob Eva Fay
            works.@count >= 1 -> Ann Bob Eva Fay
            works.@count < 1 -> Cid Dot Gus Kid
            works.@count <= 0 -> Cid Dot Gus Kid
            works.@count < 2 -> but Ann Eva
            2 == works.@count -> Ann Eva
            works.@count == nil ->
            works.@count IN {1, 2} -> Ann Bob Eva Fay
            works.@count BETWEEN {1, 1} -> Bob Fay
            NOT works.@count > 0 -> Cid Dot Gus Kid
            works.@count == 2 AND pets.@count == 2 -> Ann
            works.@sum.pages == 420 -> Ann
            works.@sum.pages == 0 -> Cid Dot Gus Kid
            works.@sum.pages > 100 -> Ann Eva
            works.@sum.price == 29.5 -> Ann
            works.@sum.rating == 7.5 -> Ann
            works.@avg.pages == 210 -> Ann
            works.@avg.pages == 300 -> Eva
            works.@avg.pages == nil -> Cid Dot Gus Kid
            works.@avg.price == 12.5 -> Eva
            works.@avg.rating > 3.6 -> Ann Fay
            works.@min.year == 1990 -> Ann
            works.@min.rating < 3 -> Eva
            works.@min.name == 'Atlas' -> Ann
            works.@max.year == 2010 -> Eva
            works.@max.year == nil -> Cid Dot Gus Kid
            works.@max.rating >= 4.5 -> Ann Eva Fay
            works.@max.rating == nil -> Bob Cid Dot Gus Kid
            works.@max.name == 'Grass' -> Fay
            works.@max.name BEGINSWITH 'C' -> Bob
            pets.@count == 2 -> Ann
            pets.@sum.legs == 8 -> Ann
            pets.@max.legs == 3 -> Bob
            friends.@count == 2 -> Ann
            friends.@count == 1 -> Bob Cid Eva Gus
            friends.@max.name == 'Cid' -> Ann
            home.dwellers.@count == 5 -> Ann Bob Dot
            home.dwellers.@count == 0 -> Fay Kid
            home.dwellers.@sum.height > 5 -> Ann Bob Dot
            teacher.students.@count == 3 -> Ann Cid Fay
            teacher.students.@avg.age == 30 -> Ann Cid Fay
            teacher.students.@avg.age == nil -> but Ann Cid Fay
            teacher.students.@sum.age == 0 -> but Ann Cid Fay
            children.@count == 1 -> Ann Dot Eva
            children.@min.age == 0 -> Dot
            works.@count > pets.@count -> Eva Fay
            works.@count + pets.@count == 4 -> Ann
            works.@count * 10 - pets.@count == 19 -> Eva
            works.@max.pages > age * 5 -> Ann
            works.@max.year - works.@min.year == 11 -> Ann
            count(works) == 2 -> Ann Eva
            count:(works) == 0 -> Cid Dot Gus Kid
            sum(works.pages) == 420 -> Ann
            sum:(works.price) == 25 -> Eva
            max(works.year) == 2010 -> Eva
            max:(works.year) == nil -> Cid Dot Gus Kid
            min(works.name) == 'Dreams' -> Eva
            average(works.rating) == 3.75 -> Ann
            average:(works.pages) == nil -> Cid Dot Gus Kid
            count(works.rating) == 2 -> Ann Eva
            """)
            + [PredicateRow](
                "Work",
                """
                tags.@count == 2 -> Atlas Clouds Fog Grass
                tags.@count == 0 -> Dreams
                tags.@sum.weight == 5 -> Clouds
                tags.@max.weight == 3 -> Clouds Fog
                tags.@min.name == 'maps' -> Atlas Grass
                chapters.@count == 3 -> Atlas
                chapters.@sum.words == 9000 -> Atlas
                chapters.@avg.words == 15 -> Echo
                chapters.@max.words > 1000 -> Atlas Birds
                chapters.@sum.words == 0 -> Clouds Dreams Grass
                author.works.@count == 2 -> Atlas Birds Dreams Echo
                author.works.@count == 0 -> Fog
                author.works.@max.rating > rating -> Birds Dreams
                price > author.works.@avg.price -> Atlas Echo
                rating == author.works.@max.rating -> Atlas Clouds Echo Grass; Atlas Echo Grass
                author.pets.@count == tags.@count -> Atlas Echo
                NOT author.works.@count == 2 -> Clouds Fog Grass
                TERNARY(tags.@count > 1, 1, 0) == 0 -> Birds Dreams Echo
                """)
            + [PredicateRow](
                "Tag",
                """
                works.@count == 3 -> nature old
                works.@sum.pages == 800 -> old
                // A set of values holds each once, and so does what a function gathers.
                sum(works.pages) == 500 -> old
                count(works.pages) == 2 -> maps old sky
                average(works.pages) == 250 -> old
                works.@min.year == 1850 -> old sky
                works.@max.year == 2020 -> maps nature
                works.@avg.pages == 180 -> maps
                works.@count > weight -> maps nature
                """)
            + [PredicateRow](
                "Town",
                """
                dwellers.@count > 2 -> Ald
                dwellers.@count == 1 -> Cor Dun
                dwellers.@min.born < CAST(0, 'NSDate') -> Ald Cor
                dwellers.@max.born == CAST(734400000, 'NSDate') -> Ald
                dwellers.@avg.height > 1 -> Ald Cor
                dwellers.@max.height == 1.8 -> Ald
                dwellers.@count * 100 > people -> Dun
                land.towns.@count == 2 -> Ald Bex
                """)
            + [PredicateRow](
                "Land",
                """
                towns.@count == 0 -> Coria
                towns.@sum.people == 1250 -> Aria
                towns.@sum.area == 14.5 -> Aria
                towns.@avg.area == 7.25 -> Aria
                towns.@max.people == nil -> Boria Coria
                towns.@max.founded == CAST(-4320000000, 'NSDate') -> Aria
                towns.@min.name == 'Ald' -> Aria
                """)
    }
}
