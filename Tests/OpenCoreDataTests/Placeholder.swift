import Testing
import OpenCoreData
