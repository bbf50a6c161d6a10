// A database of a test file.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { onServer } from '../../connector-kit/test/store.ts'

/** Its address. Call once per test file. */
export function useExamDatabase(): () => string {
  const name = `exam_${randomUUID().replaceAll('-', '')}`
  beforeAll(() => onServer(`create database ${name}`))
  afterAll(() => onServer(`drop database if exists ${name} with (force)`))
  return () => inject('postgresUrl') + name
}
