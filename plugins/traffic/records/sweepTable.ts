import type { TableDeclaration } from 'renown'

/** The table with the time of the last complete sweep, by ClickHouse's clock. One row. */
export const sweepTable = {
  name: 'ai_traffic_sweeps',
  columns: { id: 'String', swept_at: 'DateTime64(3)' },
  engine: 'ReplacingMergeTree(swept_at)',
  people: [],
  orderBy: ['id'],
} as const satisfies TableDeclaration
