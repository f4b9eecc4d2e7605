/** Counts what this process writes to tables, so that an answer can be kept until the next write to its rows. */
export interface WriteCounts {
  /** Runs a write. Rows are being written from its beginning to its end. */
  around<T>(written: WrittenRows, write: () => Promise<T>): Promise<T>
  /** How often rows of these workspaces were written. Of undefined: rows of any workspace. It only grows. */
  of(table: string, workspaces: readonly string[] | undefined): number
}

/** What a write changes: the rows of some workspaces, or of undefined any rows of the table. */
export interface WrittenRows {
  readonly table: string
  readonly workspaces?: Iterable<string>
}

interface Counts {
  all: number
  /** Writes that may have changed rows of any workspace. */
  broad: number
  readonly byWorkspace: Map<string, number>
}

/** Creates the counts of one store. */
export function createWriteCounts(): WriteCounts {
  const tables = new Map<string, Counts>()
  const countsOf = (table: string) => {
    const known = tables.get(table)
    if (known) return known
    const made: Counts = { all: 0, broad: 0, byWorkspace: new Map() }
    tables.set(table, made)
    return made
  }
  const note = (table: string, workspaces: ReadonlySet<string> | undefined) => {
    const counts = countsOf(table)
    counts.all += 1
    if (workspaces === undefined) counts.broad += 1
    for (const id of workspaces ?? []) counts.byWorkspace.set(id, (counts.byWorkspace.get(id) ?? 0) + 1)
  }
  return {
    async around({ table, workspaces }, write) {
      const changed = workspaces === undefined ? undefined : new Set(workspaces)
      note(table, changed)
      try {
        return await write()
      } finally {
        // What was read while it ran may have been read before it.
        note(table, changed)
      }
    },
    of(table, workspaces) {
      const { all, broad, byWorkspace } = countsOf(table)
      if (workspaces === undefined) return all
      return workspaces.reduce((sum, id) => sum + (byWorkspace.get(id) ?? 0), broad)
    },
  }
}
