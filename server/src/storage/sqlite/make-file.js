import { closeSync, openSync } from 'node:fs'

/**
 * Makes the file of a database for its owner alone, where there is none: SQLite gives its log the mode of the file. One that is
 * there is not opened. To close a file drops every lock that the process has on it (POSIX), and without its locks SQLite in
 * another process deletes the write-ahead log under this one. Plain JavaScript, for the thread of the log uses it too.
 *
 * @param {string} file
 */
export function makeFile(file) {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error
  }
}
