import type { AgentRegistry } from '../../core/contracts/agent-registry'

/** A small registry of a mirror, newer than the release. */
export const sampleRegistry = (more: Partial<AgentRegistry> = {}): AgentRegistry => ({
  format: 1,
  version: 2027010101,
  issued_at: '2026-11-20T00:00:00.000Z',
  expires_at: '2027-03-01T00:00:00.000Z',
  lists: [{ operator: 'OpenAI', url: 'https://openai.com/gptbot.json', format: 'json' }],
  documented: {},
  agents: [
    sampleAgent({ name: 'GPTBot', operator: 'OpenAI', lists: ['https://openai.com/gptbot.json'] }),
    sampleAgent({ name: 'NovelBot', operator: 'Novel Labs', category: 'ai_answers' }),
  ],
  assistants: [
    {
      name: 'Novel',
      operator: 'Novel Labs',
      hosts: ['chat.novel.example'],
      parts: [],
      utm: ['novel'],
      android: [],
      markers: ['NovelApp'],
    },
  ],
  robots: ['AhrefsBot'],
  ...more,
})

/** An agent as a file writes it in full. */
export const sampleAgent = (
  more: Partial<AgentRegistry['agents'][number]> = {},
): AgentRegistry['agents'][number] => ({
  name: 'SampleBot',
  operator: 'Sample',
  category: 'training',
  confidence: 'documented',
  class: 'ai',
  aliases: [],
  client: false,
  lists: [],
  ...more,
})
