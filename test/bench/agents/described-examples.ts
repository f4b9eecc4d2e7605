import { instructionsFor } from '../../../core/mcp/about'
import { compileTable } from '../../../core/mcp/table'
import { problemIn } from '../../support/mcp'
import { shippedRegistry } from '../../support/shipped'
import type { openDemo } from './demo-world'
import { wordsOfDemo } from './skill-calls'

type Schema = Readonly<Record<string, unknown>>

/** A call that a description, a list of values, the instructions or a declaration gives as an example. */
export interface Example {
  readonly tool: string
  readonly argument: string
  readonly value: unknown
}

/** Returns every example of the tools: from their descriptions, accepted values, defaults, declarations and instructions. */
export function describedExamples(): Example[] {
  const registry = shippedRegistry()
  const { listings } = compileTable(registry).narrow('')
  const shared = sharedExamples(instructionsFor(''))
  const next = new Map<string, number>()
  // Each example of the instructions goes to another tool: all tools read such an argument alike.
  const oneOf = (argument: string) => {
    const values = shared.get(argument) ?? []
    const place = next.get(argument) ?? 0
    next.set(argument, place + 1)
    return values.slice(place, place + 1)
  }
  return listings.flatMap(({ name: tool, inputSchema }) =>
    Object.entries(inputSchema.properties as Record<string, Schema>).flatMap(([argument, schema]) => {
      const declared = examplesOf(registry.operations.get(tool)?.input, argument)
      const values = [...valuesIn(schema), ...oneOf(argument), ...declared]
      const isList = schema.type === 'array'
      return [...new Set(values.map((value) => JSON.stringify(value)))].map((text) => {
        const value = JSON.parse(text)
        return { tool, argument, value: isList && !Array.isArray(value) ? [value] : value }
      })
    }),
  )
}

function valuesIn({ enum: values, default: ownDefault, description, type, items }: Schema): unknown[] {
  const text = typeof description === 'string' ? description : ''
  const listed = type === 'array' ? ((items as Schema | undefined)?.enum as unknown[] | undefined) : undefined
  return [
    ...((values as unknown[] | undefined) ?? []),
    ...(listed ? [listed] : []),
    ...(ownDefault === undefined ? [] : [ownDefault]),
    ...sortsIn(text),
    ...jsonIn(text),
    ...(type === 'array' ? [suchAs(text)].filter((all) => all.length > 0) : suchAs(text)),
  ]
}

/** `a; or b, c; - before it: descending` lists fields to sort on, of which `a` takes no sign. */
function sortsIn(text: string): string[] {
  const [, oneWay, bothWays] = /^(?:(\w+); or )?([\w., ]+); - before it: descending$/.exec(text) ?? []
  const signed = (bothWays?.split(', ') ?? []).flatMap((name) => [name, `-${name}`])
  return oneWay === undefined ? signed : [oneWay, ...signed]
}

/** Objects and lists that a text shows as JSON. */
function jsonIn(text: string): unknown[] {
  const found = /[{[]"/.exec(text)
  if (!found) return []
  for (let end = found.index + 1; end <= text.length; end++) {
    try {
      return [JSON.parse(text.slice(found.index, end))]
    } catch {}
  }
  throw new Error(`No valid JSON: ${text}`)
}

/** What follows "such as", up to the end of the sentence. Articles begin descriptions, not values. */
function suchAs(text: string): string[] {
  const [, list] = /[Ss]uch as ([^{["]?.*?)(?:[;)]|\.?$|: |\. )/.exec(text) ?? []
  return (list ?? '')
    .split(/,? or two days such as |,? nor |, | or | and /)
    .filter((value) => value !== '' && !/^(?:or )?(?:the|a|an) |^\{|^like$/.test(value))
}

/** The examples of the instructions, by argument. */
function sharedExamples(instructions: string): Map<string, string[]> {
  const found = instructions.matchAll(/(\w+) \(([^()]*[Ss]uch as [^()]*)\)/g)
  return new Map([...found].map(([, name = '', text = '']) => [name, suchAs(text)]))
}

/** Values that a declaration gives for an argument. */
function examplesOf(input: unknown, argument: string): unknown[] {
  const found: unknown[] = []
  const walk = (schema: unknown) => {
    const { pipe, wrapped, type, examples } = (schema ?? {}) as {
      pipe?: unknown[]
      wrapped?: unknown
      type?: string
      examples?: unknown[]
    }
    if (type === 'examples') found.push(...(examples ?? []))
    for (const part of [...(pipe ?? []), wrapped]) if (part && part !== schema) walk(part)
  }
  walk((input as { entries?: Record<string, unknown> } | undefined)?.entries?.[argument])
  return found
}

type Demo = Pick<Awaited<ReturnType<typeof openDemo>>, 'facts' | 'callTool'>

/** Returns what each tool needs beside the argument of an example. */
function requiredArguments({ facts }: Demo): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const ids = wordsOfDemo(facts)
  return {
    list_records: { entity: 'Review' },
    aggregateRecords: { entity: 'Review', group_by: ['source'] },
    countRecords: { entity: 'Review' },
    generateMentionReply: { mention_id: ids.MENTION_ID },
    generatePostDraft: { business_location_id: ids.LOCATION_ID },
    generateReviewReply: { review_id: ids.REVIEW_ID },
    getAnswer: { prompt_id: ids.PROMPT_ID },
    getPageJourney: { path: '/' },
    getPromptPerformance: { tracker_id: ids.TRACKER_ID },
    getShareOfVoice: { tracker_id: ids.TRACKER_ID },
    reconcileVisibility: { rulers: ['visibility.mention_rate@2', 'profound.visibility@1'] },
    setupMentionTracking: { location_id: ids.LOCATION_ID, keywords: ['acme'] },
    setupVisibilityTracking: { location_id: ids.LOCATION_ID },
  }
}

/** Sends a wrong value for each argument that is text. Returns the examples that the refusals give. */
export async function examplesOfRefusals(demo: Demo): Promise<Example[]> {
  const required = requiredArguments(demo)
  const { listings } = compileTable(shippedRegistry()).narrow('')
  const asked = new Set<string>()
  const found: Example[] = []
  for (const { name: tool, inputSchema } of listings) {
    for (const [argument, schema] of Object.entries(inputSchema.properties as Record<string, Schema>)) {
      // The first location of the list is a prospect, for which nothing is published.
      if (
        asked.has(argument) ||
        argument === 'business_location_id' ||
        ('type' in schema && schema.type !== 'string')
      )
        continue
      asked.add(argument)
      const answer = await demo.callTool(tool, { ...required[tool], [argument]: 'surely wrong' })
      if (!answer.isError) continue
      const { detail, hint = '', errors = [] } = problemIn(answer) as unknown as Told
      const said = [detail, hint, ...errors.map(({ message }) => message)].flatMap(suchAs)
      const about = errors.filter(
        ({ pointer, parameter }) => pointer === `/${argument}` || parameter === argument,
      )
      const values = new Set([...said, ...about.flatMap(({ allowed = [] }) => allowed.slice(0, 1))])
      for (const value of values) found.push({ tool, argument, value })
    }
  }
  return found
}

interface Told {
  readonly detail: string
  readonly hint?: string
  readonly errors?: readonly {
    readonly pointer?: string
    readonly parameter?: string
    readonly message: string
    readonly allowed?: readonly unknown[]
  }[]
}

/** Calls each tool with each example. Returns the refusals. */
export async function refusedExamples(demo: Demo, examples: readonly Example[]): Promise<string[]> {
  const required = requiredArguments(demo)
  const refused: string[] = []
  for (const { tool, argument, value } of examples) {
    const further = argument === 'compare' ? { period: 'this_month' } : {}
    const dry = /^(?:generate|mark|setup)/.test(tool) ? { dry_run: true } : {}
    const args = { ...required[tool], ...further, [argument]: value, ...dry }
    const answer = await demo.callTool(tool, args)
    if (!answer.isError) continue
    // Nothing is set up for the locations of a demo. That is checked after the arguments.
    const { errors = [] } = problemIn(answer) as { errors?: readonly { pointer?: string }[] }
    if (tool.startsWith('setup') && errors[0]?.pointer === '/location_id') continue
    // An example of a name. No workspace of the demo has it.
    if (JSON.stringify(value).includes('Corner Bakery')) continue
    refused.push(`${tool} ${JSON.stringify(args)}: ${answer.content[0]?.text.split('\n')[0]}`)
  }
  return refused
}
