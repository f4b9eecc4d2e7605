import type { AnyEntity, TableDeclaration } from 'renown'
import { Sample } from './sample-entity'

/** `Sample` as it is served from columns, and its table. */
export const SampleDay = { ...Sample, name: 'SampleDay', store: 'columns' } as unknown as AnyEntity
export const sampleDayTable: TableDeclaration = {
  name: 'sample_day',
  columns: {
    id: 'String',
    workspace_id: 'LowCardinality(String)',
    location_id: 'LowCardinality(String)',
    day: 'Date',
    rev: 'UInt64',
    stage: 'LowCardinality(String)',
    kind: 'Nullable(String)',
    score: 'Nullable(Float64)',
    rank: 'Nullable(Int64)',
    is_open: 'Nullable(Bool)',
    is_archived: 'Bool',
    seen_at: 'Nullable(String)',
    removed_at: 'Nullable(String)',
    due: 'Nullable(Date)',
    title: 'Nullable(String)',
    tags: 'Nullable(String)',
    numbers: 'Nullable(String)',
    author: 'Nullable(String)',
    people: 'Nullable(String)',
    raw: 'Nullable(String)',
    secret: 'Nullable(String)',
    unique_key: 'Nullable(String)',
    expires_at: 'Nullable(String)',
    attempts: 'Nullable(Int64)',
    created_date: 'String',
    updated_date: 'String',
  },
  engine: 'ReplacingMergeTree(rev)',
  orderBy: ['workspace_id', 'location_id', 'day', 'id'],
  partitionBy: 'toYYYYMM(day)',
}

const json = new Set(['tags', 'numbers', 'author', 'people', 'raw'])

/** A row in the order of the table's columns. */
export const sampleDayCells = (row: Readonly<Record<string, unknown>>, rev: number): unknown[] =>
  Object.keys(sampleDayTable.columns).map((name) => {
    if (name === 'rev') return rev
    if (name === 'day') return '2026-01-01'
    const value = row[name] ?? null
    return json.has(name) && value !== null ? JSON.stringify(value) : value
  })
