# Texts of the window in English. The same texts in another language have the same names and take the same values.
# Syntax: https://projectfluent.org/fluent/guide/

## The keys, F1

keys-look = Look
keys-move = Move
keys-animals = Animals
keys-pictures = Photograph and film
keys-scene = Change the scene
keys-measure = Measure
keys-window = Window
key-mouse = mouse
key-wheel = wheel
key-space = Space
key-right-click = right click
help-look = look round: hold the left button, or click to catch the pointer
help-swim = swim
help-up-down = up, down
help-faster = faster
help-wheel = speed, or how far off the camera stays
help-camera = the next camera: fly, orbit, follow, ride along, tour
help-species = go to the next species, to the one before
help-photo = photo mode: pause, lens, exposure, tilt, thirds
help-stereo = two eyes or one
help-pause = stop and go on
help-single-step = one step
help-reset = back to the beginning
help-scenes = scenes
help-fish = more fish, fewer fish
help-torch = a diver's torch, on and off
help-frighten = frighten the fish there
help-food = drop food
help-predator = release a predator
help-mind = the mind of the animal in the middle of the picture
help-settings = settings: everything in the scene file, to change and save
help-statistics = what frames take
help-benchmark = record a benchmark of what is on the screen
help-reload = read the scene and the shaders again
help-film = film what is on the screen, or end the film
help-picture = picture to a file
help-keys = these keys
help-full-screen = full screen
help-escape = close this, leave full screen, quit

## Messages that pass

hint = F1  help
more-on-terminal = ... (all of it is on the terminal)
speed = { $speed } m/s
distance = { $distance } m away
camera-fly = camera: fly
camera-orbit = camera: orbit
camera-follow = camera: follow
camera-ride = camera: ride along
camera-tour = camera: tour
species = { $name }: { $count } here, this one { $length } m long
no-animals = there are no animals here
photo-lens = lens
photo-exposure = exposure
photo-opening = opening
photo-all-sharp = all sharp
photo-focus = focus
photo-middle = middle
photo-tilt = tilt
photo-size = size x { $times }
photo-keys = wheel lens   + - exposure   V opening   J K tilt   T thirds   G size   H hide this   F12 picture   O back
stereo-off = one eye
stereo-side-by-side = two eyes, side by side
stereo-top-bottom = two eyes, the left one's picture above
stereo-anaglyph = two eyes, for red and cyan glasses
paused = paused; Space resumes
resumed = resumed
from-beginning = from the beginning
scene-written = scene written to { $path }
headset-found = in the headset: { $headset }
headset-over = the headset has ended its session; the window goes on
scene-read-again = scene read again
shaders-read-again = shaders read again
torch-on = torch on
torch-off = torch off
fish-coming = { $count } fish are coming: about { $mib } MiB of memory and { $fps } frames a second
fish-count = { $count } fish (about { $mib } MiB of memory)
food-dropped = food in the water
predator-released = another { $name } comes from the right
no-predator = nobody hunts in this scene: no predator to release
written = { $what ->
    [benchmark] benchmark
    [film] film
   *[picture] picture
} written to { $path }
film-goes-on = filming, { $seconds } s so far; F9 ends it
    into { $path }
film-uncompressed = uncompressed, as there is no ffmpeg that makes .mp4 files
film-too-small = a film is at least two pixels wide and high; make the window larger
film-not-here = films are made by the program, not in a page
benchmark-begins = in { $left } s: a benchmark of { $frames } frames, about { $takes } s ({ $longest } s at most); B stops it
    into { $path }
benchmark-called-off = no benchmark
benchmark-done = benchmark of { $frames } frames in { $seconds } s: median { $median } ms
benchmark-stopped = benchmark stopped after { $frames } frames: median { $median } ms
ladder-done = benchmark with { $rungs } numbers of fish
benchmark-written-again = writing the benchmark once more
quality-level = quality { $quality }, { $percent } % resolution
quality-too-slow = { $level }: frames took { $load } ms of { $target }
quality-headroom = { $level }: there is room, frames took { $load } ms of { $target }
quality-not-held = { $level } again: with more, frames took { $load } ms of { $target }
quality-cpu-bound = { $level } again: frames take { $load } ms of { $target } with less, too, so it is not the picture that is slow (fewer fish would help)

## What frames take, F3

frame-rate = { $fps } fps { $ms } ms a frame
frame-counts = { $draws } draws { $triangles } k triangles { $visible } visible
frame-spread = { $median } ms frame time, 99 % under { $p99 }
frame-world = { $ms } ms of the world, { $beside } beside drawing
frame-submit = { $ms } ms of submitting
frame-sight = { $visibility } m visibility { $secchi } m Secchi depth
frame-slow-motion = { $percent } % of real time: fish swim in slow motion
frame-gpu = { $ms } ms of the GPU
frame-no-gpu = { $ms } ms of the GPU: drawn on the CPU
frame-memory = { $mib } MiB of graphics memory
frame-held = { $level }, held to { $target } ms
limit-world = the world limits the rate
limit-submit = submitting limits the rate
limit-gpu = the GPU limits the rate
limit-driver = the driver limits the rate
limit-screen = the screen limits the rate
limit-software = drawing on the CPU limits the rate
part-world = world
part-submit = submit
part-text = text
part-wait = wait
part-gpu = gpu

## The mind of an animal, M

no-animal = no animal in the middle of the picture
mind = { $species }: { $doing }
drive-fear = fear
drive-hunger = hunger
drive-fatigue = fatigue
drive-loneliness = loneliness
mind-speed = { $lengths } lengths/s { $speed } m/s
doing-school = school
doing-wander = wander
doing-cruise = cruise
doing-drift = drift
doing-rest = rest
doing-flee = flee
doing-eat = eat
doing-mill = mill
doing-hold-station = hold station
doing-graze = graze
doing-pick-plankton = pick plankton
doing-hide = hide
doing-clean = clean
doing-visit-cleaner = visit cleaner
doing-keep-to-host = keep to host
doing-ambush = ambush
doing-pursue = pursue
doing-herd = herd
doing-breathe = breathe
doing-guard = guard

## The curtain while a scene is made

making-light = light in the water
making-models = models: { $done } of { $all }
making-ground = the ground and what stands on it
making-animals = animals

## Settings, Tab

working = working ...
no-changes = as in the file
changes = { $count ->
    [one] 1 change
   *[other] { $count } changes
}
undo = Undo
redo = Redo
add = Add
remove = Remove
revert = Revert
revert-help = everything as in the file
save = Save
save-help = into { $file }, whose comments stay; Ctrl S
save-new-help = into a new file; Ctrl S
save-as-new = Save as new
save-as-new-help = a file of its own that says only what differs
copy = Copy
copy-help = as --set, for a command line
search = search (Ctrl F)
vsync = vsync
group-picture = picture
default-value = Default { $value }.
file-value = In the file { $value }.
drawn-value = Drawn now: { $drawn }, to hold { $target } ms a frame.
water-line = { $type }: { $what }, about { $metres } m
water-is-I = the clearest ocean
water-is-IA = clear ocean
water-is-IB = ocean, moderately clear
water-is-II = ocean with some plankton
water-is-III = fertile ocean
water-is-1C = clear coast
water-is-3C = green coast
water-is-5C = turbid coast
water-is-7C = very turbid coast
water-is-9C = the murkiest coast
water-is-own = water of its own
nothing-found = No setting is called or means "{ $search }".

## Changes that are not saved

unsaved = Changes are not saved:
discard = Discard
stay = Stay
left-changes = { $count ->
    [one] 1 change
   *[other] { $count } changes
} of { $scene } were not saved when the window ended.
restore = Restore
throw-away = Throw away
later = Later

## The viewer of models, `pelagic model view`

view-animation = animation
view-play = play
view-pause = pause
view-speed = speed
view-still = nothing in it moves
view-shapes = other shapes
view-surface = surface
view-materials = textures
view-clay = clay
view-weights = weights
view-every-joint = every joint
view-show = show
view-wireframe = wireframe
view-normals = normals
view-skeleton = skeleton
view-grid = grid, { $metres } m
view-turn = turntable
view-detail = level of detail
view-triangles = { $count } triangles
view-joints = { $joints } joints, { $clips } clips
view-size = { $width } x { $height } x { $length } m
view-backdrop = backdrop
view-grey = grey
view-dark = dark
view-light = light
view-sea = sea
view-warnings = what is odd
view-broken = it cannot be read now; this is how it was before
view-read-again = { $name } read again
view-turned = It looks along { $forward }: write forward = "{ $forward }" in a scene
view-keys = Space play, , and . a frame, R reset, T turntable, F which way it looks, W wireframe, N normals, S skeleton, G grid, C clay, J weights, Tab this panel, F11 full screen, F12 picture, Esc quit
