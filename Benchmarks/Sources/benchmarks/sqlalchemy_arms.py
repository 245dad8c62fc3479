"""SQLAlchemy's arms of the benchmarks: reads requests from standard input, writes times to standard output.

A request is one line of JSON with the workload, the file and the number of rows. What it prepares is not measured. The
line "run" does the work. Each answer is one line of JSON.
"""

import datetime
import gc
import json
import sys
import time
import uuid

try:
    import sqlalchemy
    from sqlalchemy import BLOB, Float, ForeignKey, Integer, String, create_engine, event, select
    from sqlalchemy.orm import DeclarativeBase, Session, joinedload, mapped_column, relationship, selectinload

    if int(sqlalchemy.__version__.split(".")[0]) < 2:
        raise ImportError("SQLAlchemy 2 is needed")
except ImportError as error:
    print(json.dumps({"error": str(error)}), flush=True)
    sys.exit(0)


class Base(DeclarativeBase):
    pass


def key():
    return mapped_column("Z_PK", Integer, primary_key=True)


def entity():
    return mapped_column("Z_ENT", Integer)


def version():
    return mapped_column("Z_OPT", Integer)


class Reading(Base):
    __tablename__ = "ZREADING"
    pk = key()
    ent = entity()
    opt = version()


for column in range(10):
    setattr(Reading, f"value{column}", mapped_column(f"ZVALUE{column}", Integer))


class Article(Base):
    __tablename__ = "ZARTICLE"
    pk = key()
    ent = entity()
    opt = version()
    title = mapped_column("ZTITLE", String)
    subtitle = mapped_column("ZSUBTITLE", String)
    text = mapped_column("ZTEXT", String)
    created = mapped_column("ZCREATED", Float)
    changed = mapped_column("ZCHANGED", Float)
    identifier = mapped_column("ZIDENTIFIER", BLOB)
    session = mapped_column("ZSESSION", BLOB)
    price = mapped_column("ZPRICE", String)
    fee = mapped_column("ZFEE", String)
    thumbnail = mapped_column("ZTHUMBNAIL", BLOB)
    writer = mapped_column("ZWRITER", Integer)


class Folder(Base):
    __tablename__ = "ZFOLDER"
    pk = key()
    opt = version()
    documents = relationship("Document", back_populates="folder", cascade="all, delete")


class Document(Base):
    __tablename__ = "ZDOCUMENT"
    pk = key()
    opt = version()
    folder_pk = mapped_column("ZFOLDER", ForeignKey("ZFOLDER.Z_PK"))
    folder = relationship("Folder", back_populates="documents")


class Customer(Base):
    __tablename__ = "ZCUSTOMER"
    pk = key()
    number = mapped_column("ZNUMBER", Integer)
    name = mapped_column("ZNAME", String)


class Order(Base):
    __tablename__ = "ZORDER"
    pk = key()
    number = mapped_column("ZNUMBER", Integer)
    customer_pk = mapped_column("ZCUSTOMER", ForeignKey("ZCUSTOMER.Z_PK"))
    customer = relationship("Customer")


class Album(Base):
    __tablename__ = "ZALBUM"
    pk = key()
    title = mapped_column("ZTITLE", String)
    tracks = relationship("Track", back_populates="album")


class Track(Base):
    __tablename__ = "ZTRACK"
    pk = key()
    number = mapped_column("ZNUMBER", Integer)
    title = mapped_column("ZTITLE", String)
    album_pk = mapped_column("ZALBUM", ForeignKey("ZALBUM.Z_PK"))
    album = relationship("Album", back_populates="tracks")


class School(Base):
    __tablename__ = "ZSCHOOL"
    pk = key()
    ent = entity()
    opt = version()
    name = mapped_column("ZNAME", String)


class Student(Base):
    __tablename__ = "ZSTUDENT"
    pk = key()
    ent = entity()
    opt = version()
    name = mapped_column("ZNAME", String)
    school_pk = mapped_column("ZSCHOOL", ForeignKey("ZSCHOOL.Z_PK"))
    school = relationship("School")
    grades = relationship("Grade", back_populates="student")


class Grade(Base):
    __tablename__ = "ZGRADE"
    pk = key()
    ent = entity()
    opt = version()
    points = mapped_column("ZPOINTS", Integer)
    student_pk = mapped_column("ZSTUDENT", ForeignKey("ZSTUDENT.Z_PK"))
    student = relationship("Student", back_populates="grades")


class Item(Base):
    __tablename__ = "ZITEM"
    pk = key()
    opt = version()
    amount = mapped_column("ZAMOUNT", Integer)


def value(row, column):
    return row * (column * column + 1) - column


def read(reading):
    return (
        reading.value0 + reading.value1 + reading.value2 + reading.value3 + reading.value4
        + reading.value5 + reading.value6 + reading.value7 + reading.value8 + reading.value9
    )


EPOCH = datetime.datetime(2001, 1, 1)


def read_article(article):
    """The length of the strings and the data, and the seconds of the dates, made into Python's own types."""
    created = EPOCH + datetime.timedelta(seconds=article.created)
    changed = EPOCH + datetime.timedelta(seconds=article.changed)
    identifiers = uuid.UUID(bytes=article.identifier), uuid.UUID(bytes=article.session)
    return (
        len(article.title) + len(article.subtitle) + len(article.text) + len(article.thumbnail)
        + int((created - EPOCH).total_seconds()) + int((changed - EPOCH).total_seconds())
        + identifiers[0].bytes[0] + identifiers[1].bytes[0]
        + (article.price is not None) + (article.fee is not None)
    )


def prepare(workload, session, rows):
    """Answers a function that does the measured work and answers its checksum."""
    if workload == "fetch":
        return lambda: sum(read(reading) for reading in session.scalars(select(Reading)).all())
    if workload == "fetch-mixed":
        return lambda: sum(read_article(article) for article in session.scalars(select(Article)).all())
    if workload == "insert":

        def insert():
            for row in range(rows):
                values = {f"value{column}": value(row, column) for column in range(10)}
                session.add(Reading(ent=1, opt=1, **values))
            session.commit()
            return rows

        return insert
    if workload == "update":
        readings = session.scalars(select(Reading)).all()

        def update():
            for reading in readings:
                reading.value3 += 1
                reading.opt += 1
            session.commit()
            return rows

        return update
    if workload == "delete-cascade":
        # Loading the documents of each folder by itself takes minutes.
        statement = select(Folder).options(selectinload(Folder.documents))

        def delete():
            for folder in session.scalars(statement).all():
                session.delete(folder)
            session.commit()
            return rows

        return delete
    if workload == "to-one-faults":
        orders = session.scalars(select(Order)).all()
        return lambda: sum(order.customer.number for order in orders)
    if workload == "to-one-prefetched":
        statement = select(Order).options(joinedload(Order.customer))
        return lambda: sum(order.customer.number for order in session.scalars(statement).all())
    if workload == "to-many-read":
        albums = session.scalars(select(Album)).all()
        return lambda: sum(track.number for album in albums for track in album.tracks)
    if workload == "to-many-prefetched":
        statement = select(Album).options(selectinload(Album.tracks))
        return lambda: sum(track.number for album in session.scalars(statement).all() for track in album.tracks)
    if workload == "import-json":
        records = json.dumps([record(row, rows) for row in range(rows)])
        return lambda: import_records(session, json.loads(records))
    if workload == "feed":
        return lambda: show_feed(session, rows)
    if workload == "merge-shown":
        shown = session.scalars(select(Item).order_by(Item.pk).limit(rows // 10)).all()

        def merge():
            with Session(session.get_bind(), expire_on_commit=False) as writer:
                for item in writer.scalars(select(Item)).all():
                    item.amount += 1
                    item.opt += 1
                writer.commit()
            session.rollback()
            statement = select(Item).order_by(Item.pk).limit(rows // 10).execution_options(populate_existing=True)
            session.scalars(statement).all()
            return sum(item.amount for item in shown)

        return merge
    raise ValueError(f"no workload {workload}")


def record(row, rows):
    """The record of JSON of a row: Workloads+Apps.swift."""
    student = row % max(2, rows // 10)
    return {"student": f"Student {student}", "school": f"School {student % max(2, rows // 1000)}", "points": row % 15}


def import_records(session, records):
    created = 0
    for start in range(0, len(records), 1000):
        part = records[start : start + 1000]
        names = {record["school"] for record in part}
        schools = {school.name: school for school in session.scalars(select(School).where(School.name.in_(names)))}
        names = {record["student"] for record in part}
        students = {student.name: student for student in session.scalars(select(Student).where(Student.name.in_(names)))}
        for record in part:
            student = students.get(record["student"])
            if student is None:
                school = schools.get(record["school"])
                if school is None:
                    school = schools[record["school"]] = School(ent=1, opt=1, name=record["school"])
                    session.add(school)
                    created += 1
                student = students[record["student"]] = Student(ent=1, opt=1, name=record["student"], school=school)
                session.add(student)
                created += 1
            # The reference alone: the collection of the student isn't loaded.
            session.add(Grade(ent=1, opt=1, points=record["points"], student=student))
            created += 1
        session.commit()
        session.expunge_all()
    return created


def show_feed(session, rows):
    order = select(Student).join(Student.school).order_by(School.name, Student.name)
    total = 0
    for start in range(0, rows, 50):
        page = order.options(joinedload(Student.school), selectinload(Student.grades))
        for student in session.scalars(page.offset(start).limit(min(50, rows - start))).all():
            total += len(student.name) + len(student.school.name) + sum(grade.points for grade in student.grades)
    students = session.scalars(order.options(joinedload(Student.school)).limit(rows)).all()
    sections = {student.school.name for student in students}
    names = [student.name for student in students]
    for student in students[::5]:
        student.name += "!"
        student.opt += 1
    session.commit()
    following = order.options(joinedload(Student.school)).limit(rows).execution_options(populate_existing=True)
    changes = sum(student.name != name for student, name in zip(session.scalars(following).all(), names))
    return total + len(sections) + changes


def connect(file):
    engine = create_engine(f"sqlite:///{file}")

    @event.listens_for(engine, "connect")
    def configure(connection, record):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")

    return engine


def main():
    print(json.dumps({"version": sqlalchemy.__version__}), flush=True)
    for line in sys.stdin:
        try:
            request = json.loads(line)
            engine = connect(request["file"])
            # Objects keep their values after a commit, as managed objects do.
            session = Session(engine, expire_on_commit=False)
            work = prepare(request["workload"], session, request["rows"])
            gc.collect()
            print(json.dumps({}), flush=True)
            sys.stdin.readline()
            wall, processor = time.perf_counter(), time.process_time()
            checksum = work()
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            print(json.dumps({"wall": wall, "processor": processor, "checksum": checksum}), flush=True)
            session.close()
            engine.dispose()
        except Exception as error:  # the parent reports whatever fails
            print(json.dumps({"error": repr(error)}), flush=True)


main()
