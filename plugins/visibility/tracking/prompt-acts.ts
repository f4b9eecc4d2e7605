import { defineAct, field, Refusal, refusedField } from 'renown'
import * as v from 'valibot'
import { promptText } from './brand-fields'
import { addPrompts, removePrompt, setPromptStatus } from './change-prompts'
import { aboutTracker, trackerAudit } from './on-tracker'
import { typedPrompts } from './typed-fields'

const audit = trackerAudit('prompts', 'Prompts of a tracker changed')

const add = defineAct({
  ...aboutTracker,
  name: 'visibility prompt add',
  summary: 'Add a prompt to a tracker. It is asked from today on',
  fields: {
    text: v.pipe(
      promptText,
      v.transform((text) => [text]),
      v.description('The question'),
    ),
  },
  // A form adds several at once, one on each line.
  forms: { text: v.pipe(typedPrompts, v.minLength(1, 'Type at least one prompt.')) },
  positional: ['text'],
  label: 'Add prompts',
  done: 'The prompts were added. They are asked from today on.',
  undo: 'visibility prompt remove',
  audit,
  async run(ctx, { row, input: { text: texts } }) {
    await ctx.requireActive(row.workspace_id)
    const added = await addPrompts(ctx, row, texts)
    if (added.length === 0)
      throw refusedField(
        'text',
        texts.length === 1
          ? 'The tracker has this prompt already.'
          : 'The tracker has these prompts already.',
      )
    return { answer: { tracker: row.name, added: added.join('\n') } }
  },
})

const onPrompt = {
  ...aboutTracker,
  fields: { prompt_id: field.text('Id of the prompt') },
  positional: ['prompt_id'],
  audit,
} as const

const pause = defineAct({
  ...onPrompt,
  name: 'visibility prompt pause',
  summary: 'Stop asking a prompt. Its answers stay and count',
  label: 'Pause',
  done: { paused: 'The prompt is paused. Its answers stay and count.' },
  undo: 'visibility prompt resume',
  async run(ctx, { row, input: { prompt_id } }) {
    const changed = await setPromptStatus(ctx, row, prompt_id, 'paused')
    if (!changed) throw noPrompt(prompt_id, row.id)
    return { answer: { prompt: changed.text, status: 'paused' } }
  },
})

const resume = defineAct({
  ...onPrompt,
  name: 'visibility prompt resume',
  summary: 'Ask a paused prompt again',
  label: 'Resume',
  done: { resumed: 'The prompt is asked again from today on.' },
  undo: 'visibility prompt pause',
  async run(ctx, { row, input: { prompt_id } }) {
    const changed = await setPromptStatus(ctx, row, prompt_id, 'active')
    if (!changed) throw noPrompt(prompt_id, row.id)
    return { answer: { prompt: changed.text, status: 'active' } }
  },
})

const remove = defineAct({
  ...onPrompt,
  name: 'visibility prompt remove',
  summary: 'Delete a prompt. Its answers stay and no longer count in the headline rate',
  label: 'Delete',
  done: { removed: 'The prompt was deleted. Its answers stay and no longer count in the headline rate.' },
  async run(ctx, { row, input: { prompt_id } }) {
    if (!(await removePrompt(ctx, row, prompt_id))) throw noPrompt(prompt_id, row.id)
    return { answer: { tracker: row.name, removed: prompt_id } }
  },
})

const noPrompt = (prompt_id: string, tracker_id: string) =>
  new Refusal('not_found', `The tracker has no prompt ${prompt_id}.`, {
    hint: `\`bun renown visibility prompt list ${tracker_id}\` lists them.`,
  })

/** What owners do with the prompts of a tracker, by the name of their form. */
export const promptActs = { add, 'pause-prompt': pause, 'resume-prompt': resume, 'remove-prompt': remove }
