import Foundation
import SwiftData
import Testing

@Suite struct ClinicTests {
    let store: AppStore

    init() throws { store = try AppStore(Patient.self, Doctor.self, Appointment.self, Prescription.self) }

    private func fill(_ context: ModelContext) {
        let doctor = Doctor(name: "Dr. Roth", specialties: ["Surgery"])
        let patient = Patient(insuranceNumber: "A1", name: "Kay", recordedAt: day(0))
        patient.familyDoctor = doctor
        patient.weights = [day(1): 70.5, day(2): 70]
        patient.prescriptions = [
            Prescription(
                drug: "Drops", dose: .init(milligrams: Decimal(string: "2.5")!, schedule: [.morning: 1, .evening: 2]),
                recordedAt: day(2))
        ]
        for number in 1...3 {
            context.insert(
                Appointment(start: day(number), patient: patient, doctor: doctor, recordedAt: day(10 - number)))
        }
    }

    @Test func protocolOfModelsIsGeneric() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(latestRecords(Appointment.self, in: context, limit: 2).map(\.start), [day(1), day(2)])
        try expectEqual(latestRecords(Patient.self, in: context, limit: 2).map(\.name), ["Kay"])
        expectEqual(Patient.title, "Patient")
    }

    @Test func dictionariesAreRead() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Patient.self).weights, [day(1): 70.5, day(2): 70])
        try expectEqual(context.one(Prescription.self).dose.schedule, [.morning: 1, .evening: 2])
    }

    @Test func optionalArrayIsNilOrEmpty() throws {
        let context = try store.relaunched(after: fill)
        let patient = try context.one(Patient.self)
        expectEqual(patient.allergies, nil)
        patient.allergies = []
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(Patient.self).allergies, [])
    }

    @Test func doctorWithAppointmentsStays() throws {
        let context = try store.relaunched(after: fill)
        let doctor = try context.one(Doctor.self)
        context.delete(doctor)
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        expectFalse(doctor.isDeleted)
        expectEqual(doctor.appointments.count, 3)
        expectEqual(doctor.patients.map(\.name), ["Kay"])
    }

    @Test func patientTakesTheRecords() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Patient.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Appointment.self), 0)
        try expectEqual(after.count(Prescription.self), 0)
        expectEmpty(try after.one(Doctor.self).appointments)
    }

    @Test func optionalEnumerationIsAsked() throws {
        let context = try store.relaunched(after: fill)
        let day = day(2)
        try context.one(Appointment.self, where: #Predicate { $0.start == day }).state = .missed
        try context.save()
        let missed: AppointmentState? = .missed
        let after = try store.launch()
        let found = try after.one(Appointment.self, where: #Predicate { $0.state == missed })
        expectEqual(found.start, day)
    }

    @Test func uniqueInsuranceNumberKeepsRelationships() throws {
        let context = try store.relaunched(after: fill)
        context.insert(Patient(insuranceNumber: "A1", name: "Kay B.", recordedAt: day(5)))
        try context.save()
        let after = try store.launch()
        let patient = try after.one(Patient.self)
        expectEqual(patient.name, "Kay B.")
    }

    @Test func containerWithoutSavingRefuses() throws {
        _ = try store.relaunched(after: fill)
        let context = ModelContext(try store.container(allowsSave: false))
        try context.one(Patient.self).name = "X"
        #expect(throws: (any Error).self) { try context.save() }
        let after = try store.launch()
        try expectEqual(after.one(Patient.self).name, "Kay")
    }
}
