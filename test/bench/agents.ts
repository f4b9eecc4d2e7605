import { compileTable } from '../../core/mcp/table'
import { shippedRegistry } from '../support/shipped'
import { chatModelFrom } from './agents/chat-model'
import { defaultAnswers } from './agents/default-answers'
import { openDemo } from './agents/demo-world'
import { furtherQuestions } from './agents/further-questions'
import { naiveReads } from './agents/naive-reads'
import type { Question } from './agents/question'
import { type OtherCosts, questionWidth, reportModel } from './agents/report-model'
import { answer, tokensOf } from './agents/run-plans'
import { standardQuestions } from './agents/standard-questions'

/** Calls after which a naive assistant is taken to have given up. */
const naiveCallsMax = 50

/**
 * How many calls and tokens it takes an assistant to answer questions of owners, by question and by tool. Beside it, what
 * the same questions take if each endpoint of rows is a tool and the assistant adds up rows itself, 100 to a page.
 */
export async function run(): Promise<void> {
  const model = chatModelFrom(process.env)
  const { listings } = compileTable(shippedRegistry()).narrow('')
  const list = JSON.stringify(listings)
  console.log(
    `tools/list: ${listings.length} tools, ${Buffer.byteLength(list)} bytes, ${tokensOf(list)} tokens (o200k)\n`,
  )
  const demo = await openDemo()
  try {
    const costs = [
      ...(await report(demo, 'Standard questions', standardQuestions)),
      ...(await report(demo, 'Further questions', furtherQuestions)),
    ]
    await reportDefaults(demo)
    if (model) await reportModel(model, demo, costs)
    else
      console.log('No model set (BENCH_LLM_BASE_URL and BENCH_LLM_MODEL). Not measured: how a model answers.')
  } finally {
    await demo.stop()
  }
}

type Demo = Awaited<ReturnType<typeof openDemo>>

/** Prints what each tool answers to a call with nothing but what it requires. */
async function reportDefaults(demo: Demo): Promise<void> {
  console.log('Default answers                          tokens')
  for (const { of, tokens } of await defaultAnswers(demo))
    console.log(`${of.padEnd(40)}${String(tokens).padStart(7)}`)
  console.log('')
}

async function report(demo: Demo, title: string, questions: readonly Question[]): Promise<OtherCosts[]> {
  const costs: OtherCosts[] = []
  console.log(`${title.padEnd(questionWidth)} right  calls  tokens   naive calls  tokens`)
  const all = { right: 0, calls: 0, tokens: 0, naiveCalls: 0, naiveTokens: 0 }
  const byTool = new Map<string, { calls: number; tokens: number }>()
  for (const question of questions) {
    const answered = await answer(demo, question)
    const naive = await naiveCost(demo, question)
    costs.push({ question, recorded: answered, naive })
    const isRight = Bun.deepEquals(answered.figures, answered.expected)
    all.right += isRight ? 1 : 0
    all.calls += answered.calls
    all.tokens += answered.tokens
    all.naiveCalls += naive.calls
    all.naiveTokens += naive.tokens
    for (const { name, tokens } of answered.tools) {
      const sums = byTool.get(name) ?? { calls: 0, tokens: 0 }
      byTool.set(name, { calls: sums.calls + 1, tokens: sums.tokens + tokens })
    }
    console.log(line(answered.asks, isRight ? 'yes' : 'NO', answered, naive))
  }
  const sums = { calls: all.calls, tokens: all.tokens }
  console.log(line('All', String(all.right), sums, { calls: all.naiveCalls, tokens: all.naiveTokens }))
  console.log('\nTool                                calls  tokens')
  for (const [tool, { calls, tokens }] of [...byTool].sort(([, a], [, b]) => b.tokens - a.tokens))
    console.log(`${tool.padEnd(36)}${String(calls).padStart(5)}${String(tokens).padStart(8)}`)
  console.log('')
  return costs
}

interface Cost {
  readonly calls: number
  readonly tokens: number
}

const line = (asks: string, right: string, { calls, tokens }: Cost, naive: Cost) =>
  [
    asks.padEnd(questionWidth),
    right.padStart(6),
    column(calls, 7),
    column(tokens, 8),
    column(naive.calls, 14),
    column(naive.tokens, 8),
  ].join('')

const column = (figure: number, width: number) => String(figure).padStart(width)

async function naiveCost(demo: Demo, { calls }: Question): Promise<Cost> {
  const cost = { calls: 0, tokens: 0 }
  for (const call of calls)
    for (const { entity, q } of naiveReads(demo.facts, call)) {
      const filter = Object.keys(q).length > 0 ? `&q=${encodeURIComponent(JSON.stringify(q))}` : ''
      let path: string | null = `/api/entities/${entity}?limit=100${filter}`
      while (path !== null && cost.calls < naiveCallsMax) {
        const page = await demo.read(path)
        const text = await page.text()
        if (!page.ok) throw new Error(`${path}: ${text}`)
        cost.calls += 1
        cost.tokens += tokensOf(text)
        const cursor: string | null = page.headers.get('x-next-cursor')
        path = cursor && `/api/entities/${entity}?limit=100&cursor=${encodeURIComponent(cursor)}${filter}`
      }
    }
  return cost
}
