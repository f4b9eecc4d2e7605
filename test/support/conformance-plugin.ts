import { defineOperation, definePlugin, Refusal } from 'renown'
import * as v from 'valibot'

const nothing = v.strictObject({})
const said = v.object({ text: v.pipe(v.string(), v.description('What was said')) })
const says = (name: string, text: string) =>
  defineOperation({
    name,
    summary: 'Says something, for the conformance suite',
    class: 'read',
    crossAgency: 'own',
    input: nothing,
    output: said,
    run: async () => ({ text }),
  })

/** What the conformance suite of MCP looks for in a server and Renown can declare: loaded by PLUGINS for the time of the suite. */
export default definePlugin({
  name: 'conformance',
  renown: '^1.0.0',
  operations: [
    says('testSimpleText', 'This is a simple text response for testing.'),
    says('testLoggingTool', 'This tool has nothing to log.'),
    says('testStreamingElicitation', 'This tool asks nobody.'),
    defineOperation({
      name: 'testErrorHandling',
      summary: 'Refuses, for the conformance suite',
      class: 'read',
      crossAgency: 'own',
      input: nothing,
      output: said,
      run: async () => {
        throw new Refusal('conflict', 'This tool intentionally returns an error for testing')
      },
    }),
  ],
  prompts: [
    {
      name: 'test_simple_prompt',
      summary: 'A prompt without arguments, for the conformance suite',
      text: () => 'This is a simple prompt for testing.',
    },
    {
      name: 'test_prompt_with_arguments',
      summary: 'A prompt with arguments, for the conformance suite',
      takes: {
        arg1: { description: 'First argument', required: true },
        arg2: { description: 'Second argument', required: true },
      },
      text: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
})
