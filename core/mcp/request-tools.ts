import type { Authorizer } from '../auth/authorize'
import type { AgentApps } from '../contracts/agent-app'
import type { WorkspaceInfo } from '../contracts/context'
import { Refusal } from '../contracts/errors'
import type { Log, OwnerContext } from '../contracts/plugin'
import { withoutSecrets } from '../contracts/secret-text'
import { type Printed, printed } from '../kit/model-text'
import { nearest } from '../kit/suggest'
import type { CallSlots } from '../requests/call-slots'
import { type ProblemInfo, problemOf, retryAfterOf } from '../requests/problem'
import { type AuthenticatedState, originOf } from '../requests/request'
import { type ReadableResources, resourcesWithApps, withApps } from './agent-apps'
import { countTool } from './count'
import { type AnswerEvents, createAnswerEvents } from './events/methods'
import { ProtocolFault } from './fault'
import { givenArguments } from './given-arguments'
import type { Call, ToolResult } from './response-templates'
import type { Narrowed, Table } from './table'
import { type Arguments, type Tool, type ToolDeps, without } from './tool'
import { problemForModels } from './tool-words'

export interface RequestToolsDeps extends ToolDeps {
  readonly table: Table
  readonly authorizer: Pick<Authorizer, 'workspace' | 'workspaceNamed' | 'requireActive'>
  readonly log: Log
  readonly owner: OwnerContext
  readonly apps: AgentApps
  readonly slots: CallSlots
}

/** What the headers of a request say about it. */
interface Connection {
  /** Its X-Workspace-Id. */
  readonly workspace: string | null
  readonly showsApps: boolean
}

/** The result of a tool in both revisions: text, and structured content where it was asked for. */
export interface ToolAnswer {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  [more: string]: unknown
}

/** The tools, resources and prompts of one request, the same in both revisions. */
export interface RequestTools
  extends Pick<Table, 'prompts' | 'instructions'>,
    Pick<Narrowed, 'listings' | 'isStructured' | 'skills'> {
  readonly resources: ReadableResources
  readonly call: Call
  readonly events: AnswerEvents
}

/** Converts the result of a tool to the form of both revisions. */
export const toolAnswer = ({ text, structured, isRefused }: ToolResult): ToolAnswer => ({
  content: [{ type: 'text', text }],
  ...(isRefused ? { isError: true } : {}),
  ...(structured ? { structuredContent: structured.value } : {}),
})

/** Returns the tools, resources and prompts for one request. */
export function requestToolsOf(
  deps: RequestToolsDeps,
  state: AuthenticatedState,
  { workspace: workspaceHeader, showsApps }: Connection,
): RequestTools {
  const { table, apps } = deps
  const { tools, listings: all, isStructured, resources, skills } = table.narrow(state.search)
  // A client that calls a tool that it was not shown is asked for the scope.
  const canWrite = state.principal.scopes.includes('write')
  const allowed = canWrite ? all : all.filter(({ annotations }) => annotations.readOnlyHint)
  const listings = showsApps ? withApps(allowed, apps) : allowed
  const origin = originOf(state, deps.apiUrl)
  const workspaceNamed = (named: unknown) => workspaceFor(deps.authorizer, state, named, workspaceHeader)
  return {
    events: createAnswerEvents({ ...deps, workspaceFor: workspaceNamed }, state),
    listings,
    isStructured,
    resources: resourcesWithApps(resources, apps, {
      shown: showsApps ? listings : [],
      // A credential with several workspaces names one in each call.
      around: async () => ({
        origin,
        workspaceId: await workspaceNamed(undefined).then(
          ({ id }) => id,
          () => null,
        ),
      }),
    }),
    skills,
    prompts: table.prompts,
    instructions: table.instructions,
    async call(name, said) {
      const tool = tools.get(name)
      if (!tool) {
        deps.limits.count(state, 'mcpUnknownTool', { credential: state.principal.id })
        throw unknownTool(name, [...tools.keys()])
      }
      const args = withAllFields(givenArguments(said, tool.accepts), showsApps && tool)
      const path = tool.address(args)
      try {
        return await deps.slots.run(state.principal.id, async () => {
          countTool(deps.limits, state, tool)
          const workspace = await workspaceNamed(args.workspace_id)
          const called = { ...state, path, search: '', workspace }
          const answer = await tool.run(deps, called, without(args, 'workspace_id'))
          return answerOf(withLimit(answer, said.limit, args.limit), isStructured)
        })
      } catch (error) {
        return refusalOf(error, {
          requestId: state.id,
          path,
          apiUrl: origin,
          log: deps.log,
        })
      }
    },
  }
}

async function workspaceFor(
  authorizer: RequestToolsDeps['authorizer'],
  state: AuthenticatedState,
  named: unknown,
  header: string | null,
): Promise<WorkspaceInfo> {
  const { principal } = state
  if (named === undefined) return authorizer.workspace(state, principal, header)
  const faulty = (message: string) =>
    new Refusal('invalid_parameter', `The argument \`workspace_id\` ${message}.`, {
      errors: [{ parameter: 'workspace_id', code: 'invalid', message }],
    })
  if (typeof named !== 'string' || named === '') throw faulty('must be the id or name of a workspace')
  if (header === null) return authorizer.workspaceNamed(named, principal)
  const connected = await authorizer.workspace(state, principal, header)
  if (header === named || (await authorizer.workspaceNamed(named, principal)).id === connected.id)
    return connected
  throw faulty('differs from the workspace that the connection names in a header')
}

/** Structured content repeats the text, so it is only sent where it was asked for. */
const answerOf = ({ value, json }: Printed, isStructured: boolean): ToolResult => ({
  text: json,
  ...(isStructured ? { structured: { value, json } } : {}),
})

/** Adds the limit that was used to an answer, if the caller wanted more. */
const withLimit = (answer: Printed, wanted: unknown, used: unknown): Printed =>
  typeof used === 'number' && Number(wanted) > used
    ? printed({ ...answer.value, limit_applied: used })
    : answer

/** Returns an error as text. */
function refusalOf(error: unknown, info: ProblemInfo): ToolResult {
  const problem = problemForModels(problemOf(error, info))
  const seconds = retryAfterOf(error)
  const retry = seconds === undefined ? '' : ` Retry after ${seconds} s.`
  const hint = problem.hint ? ` ${problem.hint}` : ''
  const text = `${problem.title}. ${problem.detail}${hint}${retry}\n${JSON.stringify(problem)}`
  return { text: withoutSecrets(text), isRefused: true }
}

function unknownTool(name: string, known: readonly string[]): ProtocolFault {
  const meant = nearest(name, known)
  return new ProtocolFault(
    `Unknown tool ${withoutSecrets(name.slice(0, 80))}${meant ? `; did you mean ${meant}?` : ''}`,
  )
}

/** Returns the arguments of a client that draws the answer of a tool: it gets every field, if it did not say otherwise. */
const withAllFields = (args: Arguments, tool: Tool | false): Arguments =>
  tool && Object.hasOwn(tool.accepts.properties, 'full') ? { full: true, ...args } : args
