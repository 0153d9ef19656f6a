// What we use of node:http itself. To import it by name would evaluate all that it exports, and with its WebSocket load 16 MB.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
