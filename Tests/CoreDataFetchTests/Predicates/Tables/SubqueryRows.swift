extension PredicateTable {
    static var subqueries: [PredicateRow] {
        [PredicateRow](
            "Person",
            """
            SUBQUERY(works, $w, $w.year == 2001).@count == 1 -> Ann Bob
            SUBQUERY(works, $w, $w.year == 2001).@count > 0 -> Ann Bob
            SUBQUERY(works, $w, $w.year == 2001).@count == 0 -> but Ann Bob
            SUBQUERY(works, $w, $w.year > 1900).@count > 1 -> Ann
            SUBQUERY(works, $w, $w.year > 1900).@count == 0 -> Cid Dot Gus Kid
            SUBQUERY(works, $w, $w.year > 1900).@count BETWEEN {1, 2} -> Ann Bob Eva Fay
            count(SUBQUERY(works, $w, $w.year > 1900)) == 1 -> Bob Eva Fay
            SUBQUERY(works, $w, ANY $w.tags.name == 'old').@count == 1 -> Ann Eva
            SUBQUERY(works, $w, NONE $w.tags.name == 'old').@count == 1 -> Ann Bob Eva Fay
            SUBQUERY(works, $w, $w.tags.@count == 0).@count == 1 -> Eva
            SUBQUERY(works, $w, $w.author == SELF).@count == works.@count -> all
            SUBQUERY(works, $w, SUBQUERY($w.chapters, $c, $c.words > 1500).@count > 0).@count == 2 -> Ann
            SUBQUERY(works, $w, SUBQUERY($w.chapters, $c, $c.words > $w.pages).@count >= 2).@count == 1 -> Ann
            SUBQUERY(works, $w, SUBQUERY($w.tags, $t, $t.name BEGINSWITH 'o').@count == 1 AND $w.year > 2000).@count \
            == 1 -> Eva
            SUBQUERY(works, $w, $w.pages > age).@count == 1 -> Bob Eva Fay
            SUBQUERY(works, $w, $w.pages > SELF.age).@count == 2 -> Ann
            SUBQUERY(friends, $f, $f.home == home).@count > 0 -> Ann Bob
            SUBQUERY(friends, $f, $f.name < name).@count == 1 -> Bob Cid Gus
            SUBQUERY(works, $w, $w.year == 2001).@sum.pages == 120 -> Ann
            SUBQUERY(works, $w, $w.year == 2001).@max.pages == 80 -> Bob
            SUBQUERY(works, $w, $w.year == 2001).@avg.pages == nil -> but Ann Bob
            SUBQUERY(works, $w, $w.rating > 2).@min.rating == 3 -> Ann
            SUBQUERY(works, $w, TRUEPREDICATE).@count == 2 -> Ann Eva
            SUBQUERY(works, $w, FALSEPREDICATE).@count == 0 -> all
            SUBQUERY(works, $w, $w.name IN {'Atlas', 'Echo'}).@count != 0 -> Ann Eva
            SUBQUERY(works, $w, NOT ($w.rating > 3)).@count > 0 -> Ann Bob Eva; Ann Eva
            SUBQUERY(works, $w, $w.rating == nil).@count == 1 -> Bob
            SUBQUERY(home.dwellers, $d, $d.alive == YES).@count >= 5 -> Ann Bob Dot
            SUBQUERY(home.dwellers, $d, $d.alive == YES).@count == 0 -> Cid Gus Fay Kid
            SUBQUERY(teacher.students, $s, $s.age == 30).@count == 2 -> Ann Cid Fay
            SUBQUERY(teacher.students, $s, $s != SELF AND $s.age == age).@count == 1 -> Ann Fay
            SUBQUERY(pets, $p, $p.kind == 'cat' AND $p.parent != nil).@count == 1 -> Ann
            SUBQUERY(works, $x, ANY $x.tags.works.author.name == 'Bob').@count > 0 -> Ann Bob Fay
            SUBQUERY(works, $w, $w.rating == nil).name CONTAINS 'Clouds' -> Bob
            ANY SUBQUERY(works, $w, $w.year > 2005).name == 'Echo' -> Eva
            NOT SUBQUERY(works, $w, $w.year == 2001).@count > 0 -> but Ann Bob
            SUBQUERY(works, $w, $w.author.home.land.code == 'AR').@count > 0 -> Ann Bob
            SUBQUERY(works, $w, SUBQUERY($w.author.pets, $p, $p.legs == 3).@count == 1).@count == 1 -> Bob
            SUBQUERY(works, $name, $name.name == 'Echo').@count == 1 -> Eva
            SUBQUERY(works, $w, SUBQUERY($w.author.works, $w, $w.year == 2010).@count == 1).@count == 2 -> Eva
            """)
            + [PredicateRow](
                "Land",
                """
                SUBQUERY(towns, $t, $t.people > 100).@count == 2 -> Aria
                SUBQUERY(towns, $t, $t.people == nil).@count == 1 -> Boria
                SUBQUERY(towns, $t, SUBQUERY($t.dwellers, $d, $d.alive == NO).@count > 0).@count > 0 -> Aria
                SUBQUERY(towns, $t, SUBQUERY($t.dwellers, $d, SUBQUERY($d.friends, $f, $f.home != $t).@count > \
                0).@count > 0).@count > 0 -> Aria Boria
                SUBQUERY(towns, $t, SUBQUERY($t.dwellers, $d, $d.home.land == SELF AND $d.name == 'Eva').@count == \
                1).@count == 1 -> Boria
                SUBQUERY(towns, $t, $t.land.name == name).@count == towns.@count -> all
                """)
            + [PredicateRow](
                "Work",
                """
                SUBQUERY(tags, $t, $t.works.@count > 2).@count == 1 -> but Dreams
                SUBQUERY(chapters, $c, $c.number > 1).@count > 0 -> Atlas Echo
                SUBQUERY(chapters, $c, $c.words == nil).@count > 0 -> Dreams
                SUBQUERY(tags, $t, $t.weight == nil).@count == 1 -> Atlas Echo Fog
                SUBQUERY(tags, $t, $t.name == 'maps' OR $t.name == 'old').@count == tags.@count -> Atlas Dreams Echo
                SUBQUERY(author.works, $w, $w.rating > rating).@count == 1 -> Birds Dreams
                SUBQUERY(author.works, $w, $w != SELF).@count == 1 -> Atlas Birds Dreams Echo
                SUBQUERY(tags, $t, SUBQUERY($t.works, $w, $w.year < year).@count > 0).@count > 0 -> Atlas Clouds Echo \
                Grass
                """)
    }
}
