/** Files that reach each other over their imports, each by its way: `a → b → a`. */
export function importCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]) => {
    const began = way.indexOf(file)
    if (began >= 0) {
      circles.push([...way.slice(began), file])
      return
    }
    if (done.has(file)) return
    for (const next of imports.get(file) ?? []) follow(next, [...way, file])
    done.add(file)
  }
  for (const file of imports.keys()) follow(file, [])
  return circles
}
