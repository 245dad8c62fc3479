import Foundation
import SwiftData

/// The properties of every record of the clinic.
protocol ClinicRecord: PersistentModel {
    var recordedAt: Date { get }
    static var title: String { get }
}

enum AppointmentState: String, Codable {
    case requested, confirmed, missed
}

@Model
final class Patient: ClinicRecord {
    static let title = "Patient"

    #Unique<Patient>([\.insuranceNumber])

    @Attribute(.preserveValueOnDeletion) var insuranceNumber: String
    @Attribute(.allowsCloudEncryption) var name: String
    var recordedAt: Date
    var allergies: [String]?
    var weights: [Date: Double] = [:]
    @Relationship(deleteRule: .cascade, inverse: \Appointment.patient) var appointments: [Appointment] = []
    @Relationship(deleteRule: .cascade, inverse: \Prescription.patient) var prescriptions: [Prescription] = []
    var familyDoctor: Doctor?

    init(insuranceNumber: String, name: String, recordedAt: Date = .now) {
        self.insuranceNumber = insuranceNumber
        self.name = name
        self.recordedAt = recordedAt
    }
}

@Model
final class Doctor {
    var name: String
    var specialties: [String]
    @Relationship(deleteRule: .deny, inverse: \Appointment.doctor) var appointments: [Appointment] = []
    @Relationship(deleteRule: .nullify, inverse: \Patient.familyDoctor) var patients: [Patient] = []

    init(name: String, specialties: [String] = []) {
        self.name = name
        self.specialties = specialties
    }
}

@Model
final class Appointment: ClinicRecord {
    static var title: String { "Appointment" }

    var recordedAt: Date
    var start: Date
    var minutes: Int
    var state: AppointmentState?
    var patient: Patient?
    var doctor: Doctor?

    init(start: Date, minutes: Int = 15, patient: Patient, doctor: Doctor, recordedAt: Date = .now) {
        self.start = start
        self.minutes = minutes
        self.patient = patient
        self.doctor = doctor
        self.recordedAt = recordedAt
    }

    var end: Date { start + TimeInterval(minutes * 60) }
}

@Model
final class Prescription: ClinicRecord {
    static var title: String { "Prescription" }

    var recordedAt: Date
    var drug: String
    var dose: Dose
    var patient: Patient?

    init(drug: String, dose: Dose, recordedAt: Date = .now) {
        self.drug = drug
        self.dose = dose
        self.recordedAt = recordedAt
    }

    struct Dose: Codable, Hashable {
        var milligrams: Decimal
        var schedule: [Time: Int]

        enum Time: String, Codable, Hashable {
            case morning, noon, evening
        }
    }
}

/// The latest records of a class, whatever it is.
func latestRecords<Record: ClinicRecord>(_ type: Record.Type, in context: ModelContext, limit: Int) throws -> [Record] {
    let records = try context.fetch(FetchDescriptor<Record>())
    return Array(records.sorted { $0.recordedAt > $1.recordedAt }.prefix(limit))
}
