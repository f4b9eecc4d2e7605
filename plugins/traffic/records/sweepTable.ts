import type { TableDeclaration } from 'renown'

/** When sealing last looked at every touched day, by ClickHouse's clock. One row; the latest rules. */
export const sweepTable = {
  name: 'ai_traffic_sweeps',
  columns: { id: 'String', swept_at: 'DateTime64(3)' },
  engine: 'ReplacingMergeTree(swept_at)',
  orderBy: ['id'],
} as const satisfies TableDeclaration
