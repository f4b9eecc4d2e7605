import type { RecordsContext } from '../contexts/records'
import type { ClientWorkspace } from '../contracts/clients'
import type { ComparedFigure, FigureValues, WorkspaceFigureSource } from '../contracts/workspace-figures'
import { dayIn, todayOf } from '../kit/periods'
import type { NamedWorkspace } from '../tenancy/named-workspaces'
import { currentWork, nowDoing, TimedOutError } from '../work/scope'

/** Workspaces that are read at once. The stores share their slots between agencies, so others wait no longer. */
const atOnce = 4
/** Part of the time of a request after which no further workspace is begun. The rest is for those that were. */
const beginShare = 0.7

/** Workspaces that were read, and those that no time was left for. */
export interface FigureRequest {
  readonly read: readonly NamedWorkspace[]
  readonly missed: readonly NamedWorkspace[]
}

/** Reads figures of workspaces, each source once in each workspace. */
export interface FiguresReader {
  /** Reads the sources of these figures. Both lists keep the order. */
  read(workspaces: readonly NamedWorkspace[], figures: readonly ComparedFigure[]): Promise<FigureRequest>
  /** The values of a figure that was read. Undefined if the workspace has nothing of its kind. */
  valuesOf(workspaceId: string, figure: string): FigureValues | undefined
}

type Periods = Parameters<WorkspaceFigureSource['read']>[1]

/** Creates a reader that stops in time, so that an answer with some workspaces comes instead of none. */
export function createFiguresReader(
  ctx: RecordsContext,
  sources: readonly WorkspaceFigureSource[],
  periodsOn: (today: string) => Periods,
): FiguresReader {
  const found = new Map<string, FigureValues>()
  const done = new Set<string>()
  const keyOf = (workspaceId: string, name: string) => `${workspaceId} ${name}`
  const lastBegin = performance.now() + currentWork().leftMs() * beginShare

  async function readOne(workspace: NamedWorkspace, asked: readonly WorkspaceFigureSource[]) {
    const inside = ctx.inWorkspace(workspace)
    const periods = periodsOn(todayOf(inside))
    for (const source of asked) {
      const key = keyOf(workspace.id, source.name)
      if (done.has(key)) continue
      for (const [name, values] of Object.entries(await source.read(inside, periods)))
        if (values) found.set(keyOf(workspace.id, name), values)
      done.add(key)
    }
  }
  /** Reads sources that answer for all workspaces at once. */
  async function readMany(workspaces: readonly NamedWorkspace[], asked: readonly WorkspaceFigureSource[]) {
    for (const source of asked) {
      const left = workspaces.filter(({ id }) => !done.has(keyOf(id, source.name)))
      if (!source.readMany || left.length === 0) continue
      nowDoing(`${source.name} of ${left.length} workspaces`)
      const periods = ({ timezone }: ClientWorkspace) => periodsOn(dayIn(timezone, ctx.now()))
      const read = await source.readMany(ctx.across(left), periods)
      for (const { id } of left) {
        for (const [name, values] of Object.entries(read.get(id) ?? {}))
          if (values) found.set(keyOf(id, name), values)
        done.add(keyOf(id, source.name))
      }
    }
  }
  return {
    async read(workspaces, figures) {
      const names = new Set(figures.map(({ name }) => name))
      const asked = sources.filter((source) => source.figures.some(({ name }) => names.has(name)))
      const missed = new Set<string>()
      await readMany(workspaces, asked)
      let next = 0
      const lane = async () => {
        for (let place = next++; place < workspaces.length; place = next++) {
          const workspace = workspaces[place] as NamedWorkspace
          const left = asked.filter(({ name }) => !done.has(keyOf(workspace.id, name)))
          if (left.length === 0) continue
          nowDoing(`${place} of ${workspaces.length} workspaces`)
          if (performance.now() > lastBegin) missed.add(workspace.id)
          else if (!(await isRead(readOne(workspace, left)))) missed.add(workspace.id)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, lane))
      return {
        read: workspaces.filter(({ id }) => !missed.has(id)),
        missed: workspaces.filter(({ id }) => missed.has(id)),
      }
    },
    valuesOf: (workspaceId, figure) => found.get(keyOf(workspaceId, figure)),
  }
}

async function isRead(reading: Promise<void>): Promise<boolean> {
  try {
    await reading
    return true
  } catch (error) {
    if (error instanceof TimedOutError) return false
    throw error
  }
}
