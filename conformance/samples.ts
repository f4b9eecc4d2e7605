import type { Connection } from './connection'
import { isObject, type JsonObject, objectsIn, textAt, valueAt } from './json'
import { callTool, type ListedTool, type ToolAnswer } from './mcp'
import type { PublishedType } from './published'

/** An answer of one tool, in both renderings. */
export interface Sample {
  readonly tool: string
  readonly args: JsonObject
  /** The default rendering, by the older revision. */
  readonly plain: ToolAnswer
  /** With structured content, by the newer revision. */
  readonly both: ToolAnswer
  /** The value of the text, if it is JSON. */
  readonly value: JsonObject | null
}

interface SampleDeps {
  readonly connection: Connection
  readonly types: readonly PublishedType[]
  readonly tools: readonly ListedTool[]
  readonly openapi: JsonObject
}

/** The tools that name a record type, and so are called once for each. */
const byType = 'list_records'
const rowsRead = 10

/** Returns a function that calls every tool that reads, once for the whole run. */
export function createSamples({
  connection,
  types,
  tools,
  openapi,
}: SampleDeps): () => Promise<readonly Sample[]> {
  const sample = async (tool: string, args: JsonObject): Promise<Sample> => {
    const plain = await callTool(connection, tool, args, { revision: '2025-11-25' })
    const both = await callTool(connection, tool, args, { revision: '2026-07-28', query: '?structured=1' })
    return { tool, args, plain, both, value: answerOf(plain) }
  }
  const read = async (): Promise<Sample[]> => {
    const samples: Sample[] = []
    for (const { name } of types.filter(({ reads }) => reads.includes('list')))
      samples.push(await sample(byType, { entity: name, limit: rowsRead }))
    const known = argumentsFrom(samples)
    const reading = tools.filter(
      ({ name, annotations }) => annotations.readOnlyHint === true && name !== byType,
    )
    for (const tool of reading)
      samples.push(await sample(tool.name, argumentsOf(tool, { ...listedIn(openapi, tool.name), ...known })))
    return samples
  }
  let reading: Promise<Sample[]> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

/** Returns the value of a tool's text. Null if the tool refused or the text is not a JSON object. */
export function answerOf({ isError, text }: ToolAnswer): JsonObject | null {
  if (isError) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Returns values for arguments that name a record, from the first rows of its type. */
function argumentsFrom(samples: readonly Sample[]): JsonObject {
  const firstId = (entity: string, isWanted: (row: JsonObject) => boolean = () => true) => {
    const rows = objectsIn(samples.find(({ args }) => args.entity === entity)?.value?.rows)
    const row = rows.find(isWanted) ?? rows[0]
    return textAt(row, 'id')?.replace(/^<\w{1,64}>|<\/\w{1,64}>$/g, '')
  }
  return {
    entity: 'Review',
    id: firstId('Review'),
    location_id: firstId('BusinessLocation'),
    business_location_id: firstId('BusinessLocation'),
    tracker_id: firstId('VisibilityTracker'),
    report_id: firstId('Report', ({ status }) => status === 'completed'),
    run_id: firstId('VisibilityRun'),
    review_id: firstId('Review'),
    site_id: firstId('AiTrafficSite'),
    path: '/',
  }
}

/** Returns the first two values of each argument that is a closed list, as the OpenAPI document has them. */
function listedIn(openapi: JsonObject, operation: string): JsonObject {
  const properties = valueAt(openapi, 'components', 'schemas', `${operation}Input`, 'properties')
  return Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) => {
      const values = valueAt(schema, 'items', 'enum')
      return Array.isArray(values) ? [[name, values.slice(0, 2)]] : []
    }),
  )
}

/** Tools that require one of two arguments, which their schema does not say. */
const alsoNeeded: Readonly<Record<string, string>> = { getAnswer: 'run_id' }

/** Returns the required arguments of a tool, as far as they are known. */
function argumentsOf({ name, inputSchema }: ListedTool, known: JsonObject): JsonObject {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
  const also = alsoNeeded[name]
  const names = also && valueAt(inputSchema, 'properties', also) ? [...required, also] : required
  return Object.fromEntries(names.flatMap((each) => (known[each] === undefined ? [] : [[each, known[each]]])))
}
