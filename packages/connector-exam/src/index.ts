// What a fake bank, a subject or a test imports.
export { type GroupResult, isPassed, type Options, type Result, runExam } from './exam.ts'
export { type Bank, CannotPlay, type Controls, createControls, type Destination, type Turn } from './fake/controls.ts'
export { type Door, type Json, openDoor, parseObject, readText, sendJson } from './kit/http.ts'
export type { Limits, Open, Setting, Subject } from './subject/subject.ts'
export type {
  BankLine,
  BookRow,
  CardCode,
  ChargeRow,
  Code,
  Credit,
  Outcome,
  Plan,
  Playing,
  Report,
  TestCard,
} from './subject/upstream.ts'
export { tableOf } from './table.ts'
