import type { PromptDeclaration } from '../contracts/plugin'
import type { Registry } from '../registry/registry'
import { ProtocolFault } from './fault'
import { titleOf } from './tool'

export interface Prompts {
  readonly listings: {
    name: string
    title: string
    description: string
    arguments: { name: string; description: string; required: boolean }[]
  }[]
  get(
    name: string,
    given: Readonly<Record<string, string>>,
  ): {
    description: string
    messages: { role: 'user'; content: { type: 'text'; text: string } }[]
  }
}

const argumentCharactersMax = 500

/** Names that prompts had before. Clients may have stored them. */
const formerNames: Readonly<Record<string, string>> = {
  check_ai_visibility: 'visibility_briefing',
  explain_ai_traffic: 'crawler_audit',
  work_new_leads: 'qualify_leads',
}

/** Returns the prompts that plugins declare, and further ones. */
export function compilePrompts(registry: Registry, further: readonly PromptDeclaration[] = []): Prompts {
  const declared = new Map([...further, ...registry.prompts.values()].map((prompt) => [prompt.name, prompt]))
  const all = [...declared.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const plugins = [...registry.plugins.values()]
  const notYetOf = (prompt: PromptDeclaration) =>
    plugins.find(({ prompts }) => prompts?.includes(prompt))?.notYet
  return {
    listings: all.map((prompt) => ({
      name: prompt.name,
      title: titleOf(prompt.name),
      description: described(prompt.summary, notYetOf(prompt)),
      arguments: Object.entries(prompt.takes ?? {}).map(([argument, { description, required = false }]) => ({
        name: argument,
        description,
        required,
      })),
    })),
    get(name, given) {
      const prompt = declared.get(formerNames[name] ?? name)
      if (!prompt)
        throw new ProtocolFault(
          `There is no prompt with that name. Prompts: ${[...declared.keys()].sort().join(', ')}`,
        )
      checkArguments(prompt, given)
      const notYet = notYetOf(prompt)
      const text = [
        prompt.text(given),
        ...(notYet === undefined ? [] : [`First tell the user: ${notYet}`]),
      ].join('\n')
      return {
        description: described(prompt.summary, notYet),
        messages: [{ role: 'user', content: { type: 'text', text } }],
      }
    },
  }
}

const described = (summary: string, notYet: string | undefined) =>
  notYet === undefined ? summary : `${summary}. ${notYet}`

function checkArguments({ takes = {} }: PromptDeclaration, given: Readonly<Record<string, string>>) {
  const names = Object.keys(takes)
  const accepted = names.length === 0 ? 'It accepts no arguments' : `It accepts: ${names.join(', ')}`
  for (const [name, { required }] of Object.entries(takes)) {
    if (required && !given[name]) throw new ProtocolFault(`The argument ${name} is required. ${accepted}`)
  }
  for (const [name, text] of Object.entries(given)) {
    if (!Object.hasOwn(takes, name))
      throw new ProtocolFault(`The prompt does not have that argument. ${accepted}`)
    if (text.length > argumentCharactersMax)
      throw new ProtocolFault(`The argument ${name} has more than ${argumentCharactersMax} characters`)
  }
}
