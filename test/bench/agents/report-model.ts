import { askMcp, callToolAsIs, mcpResult } from '../../support/mcp'
import { askModel, type ModelAnswer, type OfferedTool, type Workplace } from './ask-model'
import type { ChatModelSettings } from './chat-model'
import type { openDemo } from './demo-world'
import type { Question } from './question'

type Demo = Awaited<ReturnType<typeof openDemo>>

/** Returns what a client of the server gives to its model. */
async function workplaceOf({ gate, key }: Demo): Promise<Workplace> {
  const clientInfo = { name: 'bench', version: '1.0.0' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const revision = '2025-11-25'
  const { instructions } = await mcpResult<{ instructions: string }>(
    askMcp(gate, revision, 'initialize', params, { key }),
  )
  const { tools } = await mcpResult<{ tools: OfferedTool[] }>(
    askMcp(gate, revision, 'tools/list', {}, { key }),
  )
  return {
    instructions,
    tools,
    call: async (name, args) =>
      (await callToolAsIs(gate, revision, name, { ...args }, { key })).content[0]?.text ?? '',
  }
}

/** Width of the column of questions in the printed tables. The longest question fits. */
export const questionWidth = 68

/** What a question took otherwise: as recorded calls, and with a naive wrapper. */
export interface OtherCosts {
  readonly question: Question
  readonly recorded: { readonly calls: number; readonly tokens: number }
  readonly naive: { readonly calls: number; readonly tokens: number }
}

/** Lets a model answer the questions, and prints what it took beside the recorded calls and the naive wrapper. */
export async function reportModel(
  settings: ChatModelSettings,
  demo: Demo,
  questions: readonly OtherCosts[],
): Promise<void> {
  const workplace = await workplaceOf(demo)
  console.log(
    `${`Model ${settings.model}`.padEnd(questionWidth)} right  calls  tokens  recorded  tokens  naive calls  tokens`,
  )
  const answers: ModelAnswer[] = []
  for (const { question, recorded, naive } of questions) {
    const answer = await askModel(settings, workplace, { question, expected: question.expected(demo.facts) })
    answers.push(answer)
    const figures = [
      [answer.calls, 7],
      [answer.tokens, 8],
      [recorded.calls, 10],
      [recorded.tokens, 8],
      [naive.calls, 13],
      [naive.tokens, 8],
    ] as const
    const columns = figures.map(([figure, width]) => String(figure).padStart(width)).join('')
    console.log(
      `${question.asks.padEnd(questionWidth)}${(answer.isRight ? 'yes' : 'NO').padStart(6)}${columns}`,
    )
    for (const note of notesOn(answer)) console.log(`    ${note}`)
  }
  const sum = (name: 'calls' | 'tokens' | 'used') => answers.reduce((all, one) => all + one[name], 0)
  const right = answers.filter(({ isRight }) => isRight).length
  console.log(
    `\n${right} of ${answers.length} right, ${sum('calls')} calls, ${sum('tokens')} tokens of calls, ${sum('used')} in all turns`,
  )
}

function notesOn({ fault, repeated, wrote }: ModelAnswer): string[] {
  return [
    ...(fault ? [fault.replace(/\s+/g, ' ').slice(0, 160)] : []),
    ...(repeated.length > 0 ? [`repeated orders of strangers: ${repeated.join(', ')}`] : []),
    ...(wrote.length > 0 ? [`wrote without being asked: ${wrote.join(', ')}`] : []),
  ]
}
