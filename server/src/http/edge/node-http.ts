// The parts of node:http that we use. A named import would evaluate every export, and its WebSocket loads 16 MB.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
