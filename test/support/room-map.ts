import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { floors } from './floors'

/** The rooms that the map in a document names, as paths, each with its annotation. */
export function mappedRooms(document: string): ReadonlyMap<string, string> {
  const [, map = ''] = document.split('```')
  const rooms = new Map<string, string>()
  const above: string[] = []
  for (const line of map.split('\n')) {
    const [, indent = '', name, says = ''] = /^( *)([\w-]+)\/ +(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    above.length = indent.length / 2
    above.push(name)
    rooms.set(above.join('/'), says)
  }
  return rooms
}

/** Whether a folder holds a file. Git keeps no empty folders, so one is left from a checkout of another commit. */
const isUsed = (folder: string): boolean =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => entry.isFile())

/** Every room of a checkout: the folders of each complete table of floors, and those of `plugins` with the rooms inside them. */
export function roomsOf(root: string): string[] {
  const inside = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && isUsed(join(root, folder, entry.name)) ? [`${folder}/${entry.name}`] : [],
    )
  const plugins = inside('plugins')
  const complete = floors.filter(({ isComplete }) => isComplete).map(({ top }) => top)
  return [...complete.flatMap(inside), ...plugins, ...plugins.flatMap(inside)].sort()
}
