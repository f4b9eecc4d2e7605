/** A part of the product whose tests are measured. */
export interface Area {
  readonly name: string
  /** Which files are mutated. */
  readonly include: readonly string[]
  /** Data and texts, in which a changed word is not a changed rule, and what only makes something faster. */
  readonly exclude?: readonly string[]
  /** The share that tests noticed when it was last measured, where that is below the goal. Raise it, never lower it. */
  readonly floor?: number
}

/** The areas in the order in which they run. Change a glob here when files move. */
export const areas: readonly Area[] = [
  { name: 'query', include: ['core/query/**/*.ts', 'core/kit/suggest.ts'] },
  {
    name: 'gateway',
    include: ['core/{http,requests,contexts}/**/*.ts', 'core/stores/documents/row-writes.ts'],
    exclude: ['core/http/**/docs-*.ts'],
    floor: 0.93,
  },
  { name: 'auth', include: ['core/auth/**/*.ts'] },
  {
    name: 'ingest',
    include: ['ingest/**/*.ts'],
    exclude: [
      'ingest/data/**',
      'ingest/**/*main.ts',
      'ingest/**/*-worker.ts',
      'ingest/**/beacon-script.ts',
      'ingest/count/load-ahead.ts',
    ],
    floor: 0.9,
  },
  {
    name: 'reviews',
    include: ['plugins/reviews/**/*.ts'],
    exclude: [
      'plugins/reviews/demo/demo*.ts',
      'plugins/reviews/**/{lexicon,given-names,speech,safe-phrases,reply-texts,harmful-words,echoed-words}.ts',
      'plugins/reviews/**/{sensitive,speech}/**',
    ],
    floor: 0.92,
  },
  {
    name: 'sealing',
    include: [
      'plugins/traffic/**/{seal*,pendingDays,listedDays,BatchClaim,claimsFeed,dailyRow,dailyTable,days}.ts',
      'plugins/traffic/**/{readDays,summedDays,stampSites,summaries,tally,rates}.ts',
    ],
  },
]

/** The files of an area in a checkout, sorted. */
export function filesOf(area: Area, root: string): string[] {
  const files = area.include.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })])
  const isData = (file: string) => area.exclude?.some((glob) => new Bun.Glob(glob).match(file))
  return [...new Set(files)].filter((file) => !isData(file)).sort()
}

/** Whether a file is mutated in one of the areas. */
export const isOfArea = (file: string): boolean =>
  areas.some(({ include }) => include.some((glob) => new Bun.Glob(glob).match(file)))
