import { Refusal } from '../contracts/errors'
import { oncePer } from '../kit/once-per'
import { nearest } from '../kit/suggest'
import type { Registry } from '../registry/registry'
import { surfaceOf, writesOf } from '../registry/surface'
import { changesInWords, changesOf } from '../tenancy/proposals/changes'
import { instructionsFor } from './about'
import { operationTool } from './operation-tool'
import { compilePrompts, type Prompts } from './prompts'
import { recordTools } from './record-tools'
import { compileResources, type Resources, withSkills } from './resources'
import { schemaFaults } from './schema'
import { type Skills, skillPrompts, skillsFor } from './skills'
import type { Tool, ToolListing } from './tool'

/** The parts of the table that one request may see. */
export interface Narrowed {
  readonly tools: ReadonlyMap<string, Tool>
  readonly listings: ToolListing[]
  /** Whether the client asked for structured content, and so for the schemas of answers. */
  readonly isStructured: boolean
  /** The skills whose tools are all there. */
  readonly skills: Skills
  /** What clients read as resources: the fields of record types, and the skills. */
  readonly resources: Resources
}

/** Everything that MCP offers, compiled once from the registry. */
export interface Table {
  readonly tools: ReadonlyMap<string, Tool>
  readonly prompts: Prompts
  /** Instructions that clients give to a model. */
  readonly instructions: string
  /** Returns the tools that remain with `?toolsets=…&readonly=1`, with the schemas of answers after `structured=1`. */
  narrow(search: string): Narrowed
}

/** Returns the table of a registry. Throws one Error that lists every tool that clients would refuse. */
export const compileTable: (registry: Registry) => Table = oncePer(compile)

function compile(registry: Registry): Table {
  const surface = surfaceOf(registry)
  const operations = [...registry.operations.values()].map((operation) =>
    operationTool(
      operation,
      registry.pluginOf('operation', operation.name) ?? '',
      registry.notYetOf('operation', operation.name),
    ),
  )
  const all = [...recordTools(registry, surface), ...operations.sort(byName)]
  const faults = all.flatMap(({ listing, outputSchema }) =>
    schemaFaults(listing.name, listing.inputSchema, outputSchema),
  )
  const twice = all.filter((tool, place) => all.findIndex((one) => nameOf(one) === nameOf(tool)) !== place)
  faults.push(...twice.map((tool) => `tool ${nameOf(tool)} is declared twice`))
  if (faults.length > 0) throw new Error(`The tools are invalid:\n  ${faults.join('\n  ')}`)
  return {
    tools: new Map(all.map((tool) => [nameOf(tool), tool])),
    prompts: compilePrompts(
      registry,
      skillPrompts((name) => registry.operations.has(name)),
    ),
    instructions: instructionsFor(
      writesOf(surface.operations),
      registry.operations.has('proposeChange') ? changesInWords(changesOf(registry.commands.values())) : '',
    ),
    narrow: narrowing(all, compileResources(surface)),
  }
}

const nameOf = ({ listing }: Tool) => listing.name
const byName = (a: Tool, b: Tool) => (nameOf(a) < nameOf(b) ? -1 : 1)

const parameters = ['toolsets', 'readonly', 'structured']

function narrowing(all: readonly Tool[], records: Resources): Table['narrow'] {
  const known = [...new Set(all.map(({ toolset }) => toolset))].sort()
  const whole = narrowed(all, records, false)
  const structured = narrowed(all, records, true)
  return (search) => {
    if (search === '') return whole
    if (search === '?structured=1' || search === 'structured=1') return structured
    const params = new URLSearchParams(search)
    for (const name of params.keys()) {
      if (!parameters.includes(name))
        throw refuse('unknown_parameter', name.slice(0, 80), 'is not accepted here', parameters)
    }
    const sets = (params.get('toolsets') ?? '').split(',').flatMap((name) => name.trim() || [])
    const stray = sets.find((name) => !known.includes(name))
    if (stray !== undefined)
      throw refuse('invalid_parameter', 'toolsets', 'does not name a toolset', known, stray)
    const isSet = (name: string) => ['1', 'true'].includes(params.get(name) ?? '')
    const readonly = isSet('readonly')
    const wanted = all.filter(
      ({ toolset, writes }) => !(readonly && writes) && (sets.length === 0 || sets.includes(toolset)),
    )
    return narrowed(wanted, records, isSet('structured'))
  }
}

function narrowed(tools: readonly Tool[], records: Resources, isStructured: boolean): Narrowed {
  const byName = new Map(tools.map((tool) => [nameOf(tool), tool]))
  const skills = skillsFor((name) => byName.has(name))
  return {
    tools: byName,
    listings: tools.map(({ listing, outputSchema }) =>
      isStructured ? { ...listing, outputSchema } : listing,
    ),
    isStructured,
    skills,
    resources: withSkills(records, skills),
  }
}

function refuse(
  code: 'unknown_parameter' | 'invalid_parameter',
  parameter: string,
  message: string,
  allowed: readonly string[],
  given?: string,
): Refusal {
  const meant = given === undefined ? undefined : nearest(given, allowed)
  return new Refusal(code, `The query parameter \`${parameter}\` ${message}.`, {
    errors: [{ parameter, code, message, allowed, ...(meant ? { did_you_mean: meant } : {}) }],
  })
}
