import { version } from '../process/version'

/** What the Server Card and the file for registries say about the MCP server. */
export const serverAbout = {
  title: 'Renown',
  description: 'Reviews, mentions, leads, AI visibility and AI traffic of businesses, read from Renown.',
  version,
} as const

/** Returns the name of the server on a host, in the form of registries: `com.example.renown/renown`. */
export const serverNameOn = (hostname: string) => `${hostname.split('.').reverse().join('.')}/renown`

const exampleHost = 'renown.example.com'

/** Returns `server.json` of the repository: how a registry of MCP servers describes an installation on any host. */
export const serverJson = () => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: serverNameOn(exampleHost),
  ...serverAbout,
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{host}/api/mcp',
      variables: {
        host: {
          description: 'Host of your Renown gateway',
          isRequired: true,
          placeholder: exampleHost,
        },
      },
      headers: [
        {
          name: 'Authorization',
          description: 'Bearer and an agent key. Leave it out to sign in with a browser',
          isRequired: false,
          isSecret: true,
          placeholder: 'Bearer <agent key>',
        },
      ],
    },
  ],
})
