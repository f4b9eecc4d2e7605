import * as v from 'valibot'
import type { Model } from '../../contracts/outbound'
import type { Finding } from '../../contracts/self-check'
import { isPassing, isServiceFault } from '../../contracts/service-fault'
import { advice } from './advice'

const waitMs = 45_000
const answer = v.strictObject({ word: v.pipe(v.string(), v.minLength(1), v.maxLength(50)) })

/** Sends the language model a small request, in the same way as for drafts and replies. */
export async function modelCheck(model: Model): Promise<Finding> {
  if (!model.isConfigured) {
    return { status: 'ok', found: 'not configured, so drafts come from templates (LLM_BASE_URL, LLM_MODEL)' }
  }
  try {
    await model.ask({
      name: 'setup_check',
      answer,
      workspace_id: 'installation',
      instructions: 'This is a test of the set-up. Answer with the object {"word":"ready"}.',
      data: { question: 'Are you ready?' },
      signal: AbortSignal.timeout(waitMs),
    })
    return { status: 'ok', found: `${model.generator} answers in the form that is needed` }
  } catch (error) {
    return unusable(model, error)
  }
}

function unusable({ generator }: Model, error: unknown): Finding {
  if (!isServiceFault(error)) {
    const mend = advice.noModelAnswer
    return { status: 'warn', found: `${generator} did not answer within ${waitMs / 1_000} s`, mend }
  }
  if (isPassing(error)) {
    return { status: 'warn', found: `${generator}: ${error.message}`, mend: advice.later }
  }
  const mend = error.code === 'model_answer' ? advice.modelJson : advice.modelSettings
  return { status: 'fail', found: `${generator}: ${error.message}`, mend }
}
