@Model final class CarriageReturns {
    var a = 1
    /* é */ @Transient
    var b: Int
    var c: String?
    init() {}
}
@Model class Tabs {	var a:	Int	=	1
	init() {}
}
@Model
final
class
OneWordALine
{
var
a
:
Int
=
1
init() {}
}
