interface Part {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, unknown>>
}
interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Part>> }>>>
  >
  readonly components: { readonly responses: Readonly<Record<string, Part>> }
}

/** Headers that HTTP itself describes. */
const plain = ['content-type', 'content-length', 'cache-control', 'vary', 'x-content-type-options']

/** Tells what of an answer to `GET /path` an OpenAPI document does not describe: its status, its type, its headers. */
export function describedIn(document: unknown) {
  const { paths, components } = document as Described
  return (at: string, response: Response): string[] => {
    const [method = '', path = ''] = at.split(' ')
    const found = paths[path]?.[method.toLowerCase()]?.responses[String(response.status)]
    const part = found?.$ref ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found
    if (!part) return [`${at} answers ${response.status}`]
    const type = response.headers.get('content-type')
    const known = [...plain, ...Object.keys(part.headers ?? {}).map((name) => name.toLowerCase())]
    return [
      ...(type !== null && !(type in (part.content ?? {})) ? [`${at} ${response.status} is ${type}`] : []),
      ...[...response.headers.keys()]
        .filter((name) => !known.includes(name))
        .map((name) => `${at} ${response.status} has ${name}`),
    ]
  }
}
