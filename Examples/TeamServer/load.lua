-- The requests of Scripts/load-server.sh: of 20, 12 read a task, 4 a page, 3 change a task and 1 makes one.
local keys = {}
for line in io.lines(os.getenv("TEAM_SERVER_KEYS")) do keys[#keys + 1] = line end
local headers = { ["Authorization"] = "Bearer " .. os.getenv("TEAM_SERVER_TOKEN"), ["Content-Type"] = "application/json" }
local changing = { ["If-Match"] = "*" }
for name, value in pairs(headers) do changing[name] = value end
local all = {}

function setup(thread)
    thread:set("number", #all)
    all[#all + 1] = thread
end

function init() math.randomseed(os.time() * 1000 + number) end

function request()
    local kind = math.random(20)
    local path = "/tasks/" .. keys[math.random(#keys)]
    if kind <= 12 then return wrk.format("GET", path, headers) end
    if kind <= 16 then
        return wrk.format("GET", "/tasks?priority.ge=" .. math.random(0, 9) .. "&limit=20&order=due", headers)
    end
    if kind <= 19 then
        return wrk.format("PATCH", path, changing, '{"priority":' .. math.random(0, 9) .. "}")
    end
    return wrk.format("POST", "/tasks", headers, '{"title":"Made under load","priority":' .. math.random(0, 9) .. "}")
end

local counts = {}

function response(status)
    counts[status] = (counts[status] or 0) + 1
    total = counts[200] or 0
    created = counts[201] or 0
    other = 0
    for code, count in pairs(counts) do
        if code ~= 200 and code ~= 201 then other = other + count end
    end
end

function done(summary, latency)
    local made, others = 0, 0
    for _, thread in ipairs(all) do
        made = made + (thread:get("created") or 0)
        others = others + (thread:get("other") or 0)
    end
    io.write(string.format(
        "requests/s %.0f, p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms; %d requests, %d tasks made, %d other statuses, %d errors of connections\n",
        summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        latency:percentile(99.9) / 1000, summary.requests, made, others,
        summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
