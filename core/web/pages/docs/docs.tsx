/** @jsxImportSource ../../kit/jsx */
import { docsBody } from '../../../http/docs-page'
import type { Config } from '../../../process/config'
import type { Registry } from '../../../registry/registry'
import { surfaceOf } from '../../../registry/surface'
import { policiesOf } from '../../../requests/limit-table'
import { originOf } from '../../../requests/request'
import { defineRoute, type Route } from '../../framework/route'
import { docsSheet } from './docs-asset'

interface DocsDeps {
  readonly registry: Registry
  readonly config: Config
}

/** The API reference in the frame of the pages, for people with a browser. */
export function docsPages({ registry, config }: DocsDeps): Route[] {
  const surface = surfaceOf(registry)
  const policies = policiesOf(config)
  return [
    defineRoute({
      path: '/docs',
      method: 'GET',
      auth: 'none',
      handle({ page, state }) {
        // The page itself already has the main element.
        const body = docsBody({ surface, policies, apiUrl: originOf(state, config.apiUrl) })
          .replace('<main class="prose">', '<div class="prose">')
          .replace('</main>', '</div>')
        return page({
          title: 'API reference',
          width: 'wide',
          sheet: docsSheet,
          // The reference escapes its text itself.
          children: <div class="docs" dangerouslySetInnerHTML={{ __html: body }} />,
        })
      },
    }),
  ]
}
