import { readMarks } from '../../../conformance/marks'
import { agentKeys } from '../../../core/auth/agent-keys'
import { createDemo, demoOf } from '../../../core/demo/create'
import { dayIn } from '../../../core/kit/periods'
import { withCore } from '../../../core/product/core-plugins'
import { builtin } from '../../../plugins'
import { freshColumns } from '../../support/chdb'
import { startGate } from '../../support/harness'
import { callToolAsIs, type ToolResult } from '../../support/mcp'
import { canariesIn, canary } from './canary'
import { withCanaries } from './planted'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const seed = { seed: 'renown', today: '2026-11-20', edgeCases: [canary] }

type Value = Readonly<Record<string, unknown>>

/** The rows of the demo, as they were made and not as the product reads them. */
export interface DemoFacts {
  /** The home workspace, about which the questions are. */
  readonly workspaceId: string
  /** All rows of a record type or table in the home workspace, or in all. */
  rows(name: string, everywhere?: boolean): readonly Value[]
  /** The id of a business of the demo. */
  idOf(businessName: string): string
  /** The day of an instant in the time zone of the home workspace. */
  dayOf(instant: unknown): string
}

/** The demo behind a gate, and the facts about it. */
export async function openDemo() {
  const columns = await freshColumns()
  const plugins = withCore(builtin)
  const gate = await startGate({ plugins, columns })
  gate.clock.stop()
  gate.clock.advance(now - gate.clock.now().getTime())
  const { world } = await createDemo(gate.owner, withCanaries(plugins), seed)
  const { token: key } = await agentKeys({ documents: gate.documents, clock: gate.clock }).mint(
    world.agency_id,
  )
  return {
    gate,
    key,
    facts: factsOf(withCanaries(plugins)),
    callTool: (name: string, args: Readonly<Record<string, unknown>>) =>
      callToolAsIs(gate, '2025-11-25', name, { ...args }, { key }),
    /** Calls a tool for its structured content too, as clients of the newer revision do. */
    callStructured: (name: string, args: Readonly<Record<string, unknown>>) =>
      callToolAsIs(gate, '2026-07-28', name, { ...args }, { key, query: '?structured=1' }),
    /** Reads an address of the HTTP API. */
    read: (path: string) => gate.ask(path, { key }),
    async stop() {
      await gate.stop()
      await columns.close()
    },
  }
}

function factsOf(plugins: Parameters<typeof demoOf>[0]): DemoFacts {
  const { world, sets } = demoOf(plugins, seed)
  const home = world.workspaces[0]
  if (!home) throw new Error('The demo has no workspace')
  const byName = new Map(
    sets.map((set) => ['entity' in set ? set.entity.name : set.table.name, set.rows as readonly Value[]]),
  )
  return {
    workspaceId: home.id,
    rows(name, everywhere = false) {
      const all = byName.get(name)
      if (!all) throw new Error(`The demo has no rows of ${name}`)
      return everywhere ? all : all.filter((row) => row.workspace_id === home.id)
    },
    idOf(businessName) {
      const found = world.businesses.find(({ name }) => name === businessName)
      if (!found) throw new Error(`The demo has no business ${businessName}`)
      return found.id
    },
    dayOf: (instant) => dayIn(home.timezone, new Date(String(instant))),
  }
}

/** The canaries of an answer, in any form: inside the marks, and outside of them in either rendering. */
export interface Sightings {
  readonly marked: ReadonlySet<string>
  readonly unmarked: ReadonlySet<string>
}

/** Returns the canaries of an answer, in its text and in its structured content. */
export function sightingsIn({ content, structuredContent }: ToolResult): Sightings {
  const renderings: unknown[] = [JSON.parse(content[0]?.text ?? '{}'), structuredContent ?? {}]
  const read = renderings.map((rendering) => readMarks(rendering as Value, () => 'theirs'))
  return {
    marked: canariesIn(read.flatMap(({ marked }) => marked.map(({ text }) => text)).join('\n')),
    unmarked: canariesIn(read.map(({ outside }) => outside).join('\n')),
  }
}
