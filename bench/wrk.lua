-- wrk … -s wrk.lua URL -- METHOD BODY [HEADER FILE]: with a file, each of its lines is that header's value, or the path, in turn.

function init(args)
  wrk.method = args[1]
  if args[2] ~= '' then wrk.body = args[2] end
  if not args[3] then return end
  local texts, at = {}, 0
  for value in io.lines(args[4]) do
    if args[3] == ':path' then
      texts[#texts + 1] = wrk.format(nil, value)
    else
      wrk.headers[args[3]] = value
      texts[#texts + 1] = wrk.format()
    end
  end
  -- Global on purpose: wrk calls it for each request, and sends one constant text where it is missing.
  function request()
    at = at % #texts + 1
    return texts[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d,"broken":%d,"cpuSeconds":%f}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout, os.clock()
  ))
end
